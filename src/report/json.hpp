// A report as JSON. Infinite numbers (not reached) are null, missing ones the empty string, whole
// numbers have no fraction.
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
/// The whole report.
Json json_of(const Report& report);
/// JSON on one line. Bytes that are not UTF-8 are replaced, so that a file name cannot prevent a
/// report.
std::string json_text(const Json& json);

}  // namespace geodescent::lab
