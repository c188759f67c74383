// Parallel parser of LIBSVM text. Internal to the library.
#pragma once

#include <functional>
#include <string>

#include "data/assemble/chunk_matrix.hpp"
#include "data/libsvm/libsvm_lines.hpp"
#include "data/text/text_chunks.hpp"

namespace geodescent {

/// Receives the rows in the order of the text, from one thread at a time.
using RowChunkSink = std::function<void(RowChunk)>;

/// Rows and errors are those of one LibsvmParser that reads the whole text, for every division into
/// chunks and every number of threads. Returns the state at the end of the text; throws InputError.
LibsvmState read_chunks(TextChunks& chunks, const std::string& name, const LibsvmOptions& options,
                        const RowChunkSink& sink);

/// The same for a part of the text that may have no rows. `before` is the state before the part,
/// or, of a part in the middle, any state with a line: lines of errors and of the result then count
/// from it.
LibsvmState read_part(TextChunks& chunks, const std::string& name, const LibsvmOptions& options,
                      const LibsvmState& before, const RowChunkSink& sink);

/// Collects all rows.
ChunkedRows read_rows(TextChunks& chunks, const std::string& name, const LibsvmOptions& options);

}  // namespace geodescent
