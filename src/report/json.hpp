// A report as JSON. Infinite numbers (not reached) are null, missing ones are the empty string, whole numbers have no
// fraction.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "report/report.hpp"

namespace geodescent::lab {

using Json = nlohmann::ordered_json;

Json json_number(double number);
Json json_numbers(std::span<const double> numbers);
Json json_of(const Table& table);
/// Everything.
Json json_of(const Report& report);
/// On one line. Bytes that are no UTF-8 are replaced rather than refused: a report is not lost over a file name.
std::string json_text(const Json& json);

}  // namespace geodescent::lab
