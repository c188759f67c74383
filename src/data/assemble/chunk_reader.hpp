// LIBSVM text, parsed by all threads at once. Internal to the library.
#pragma once

#include <functional>
#include <string>

#include "data/assemble/chunk_matrix.hpp"
#include "data/text/libsvm_lines.hpp"
#include "data/text/text_chunks.hpp"

namespace geodescent {

/// Receives the rows in the order of the text, never from two threads at once.
using RowChunkSink = std::function<void(RowChunk)>;

/// Rows and errors are those of one LibsvmParser that reads the whole text, wherever it is cut, by however many
/// threads. Returns what is known at its end; throws InputError.
LibsvmState read_chunks(TextChunks& chunks, const std::string& name, const LibsvmOptions& options,
                        const RowChunkSink& sink);

/// All of them at once.
ChunkedRows read_rows(TextChunks& chunks, const std::string& name, const LibsvmOptions& options);

}  // namespace geodescent
