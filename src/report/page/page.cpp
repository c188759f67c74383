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

/// Escapes text for the content of an element.
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

/// JSON has < only in strings, where it may be escaped. So no text can end the script element.
std::string data_text(const Json& data) { return replaced(json_text(data), "<", "\\u003c"); }

/// Escapes </script in the page's own scripts. It can occur only in strings and regular
/// expressions, where <\/ is equivalent.
std::string script_text(std::string_view script) { return replaced(script, "</script", "<\\/script"); }

/// Replaces the placeholders {{name}} from left to right. Inserted text is not searched again.
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
