// Sample weights of rows that were read, perhaps by several ranks. Internal to the library.
#pragma once

#include <string>

#include "data/assemble/chunk_matrix.hpp"
#include "data/ranks/agreement.hpp"
#include "geodescent/data/libsvm.hpp"

namespace geodescent {

/// Whether the data set is the unchanged content of the file.
bool is_plain(const DatasetOptions& options);

/// The data set of these rows, with the weights of the options. Ranks have the rows of one data
/// set, in their order.
Dataset weighted(ChunkedRows rows, const std::string& name, const DatasetOptions& options, const Agreement& ranks);
Dataset weighted(Dataset data, const DatasetOptions& options, const Agreement& ranks);

/// Decides the form of the matrix by the rows of all ranks, and makes the data set.
Dataset agreed_dataset(ChunkedRows rows, const std::string& name, const Agreement& ranks);

}  // namespace geodescent
