#include "report/page/page.hpp"

#include <string_view>

#include "report/page/page_assets.hpp"
#include "report/page/page_data.hpp"

namespace geodescent::lab {
namespace {

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string result;
  for (std::size_t found; (found = text.find(what)) != text.npos; text.remove_prefix(found + what.size())) {
    result.append(text.substr(0, found)).append(by);
  }
  return result.append(text);
}

/// Text between tags.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else {
      result += c;
    }
  }
  return result;
}

/// JSON has < only inside of strings, where it may be written as an escape: no text can end the element it stands in.
std::string data_text(const Json& data) { return replaced(json_text(data), "<", "\\u003c"); }

/// Our scripts: in a string or a regular expression, the only places where it can occur, <\/ means the same.
std::string script_text(std::string_view script) { return replaced(script, "</script", "<\\/script"); }

/// Fills the places {{name}} of the page, from left to right: what was filled in is not looked at again.
std::string filled(std::string_view page, const std::map<std::string, std::string, std::less<>>& parts) {
  std::string result;
  for (std::size_t open; (open = page.find("{{")) != page.npos;) {
    const std::size_t close = page.find("}}", open);
    result.append(page.substr(0, open)).append(parts.at(std::string(page.substr(open + 2, close - open - 2))));
    page.remove_prefix(close + 2);
  }
  return result.append(page);
}

}  // namespace

std::string page_of(const Report& report, const std::map<std::string, std::string>& pictures,
                    const std::vector<std::string>& files) {
  Json data = page_data(report, pictures);
  data["files"] = files;
  return filled(page_html(), {{"title", escaped(report.title)},
                              {"style", std::string(page_css())},
                              {"data", data_text(data)},
                              {"charts", script_text(chart_js())},
                              {"script", script_text(page_js())}});
}

}  // namespace geodescent::lab
