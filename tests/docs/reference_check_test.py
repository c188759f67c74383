"""The check of the API reference finds public names, names that are missing, and dead links."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "scripts/lib/api-reference"))
import check  # noqa: E402

HEADER = """
#pragma once
#define MACRO(x) hidden(x)
namespace geodescent {
/// Words such as class Comment { int not_a_name; };
enum class Color { red, green = 2 };
struct Outer : Base<int> {
  int number = 0;  ///< a "string with struct Text {}"
  std::map<int, double> of_them;
  explicit Outer(int n) : number(n) {}
  virtual ~Outer() = default;
  bool operator==(const Outer&) const = default;
  [[nodiscard]] double call(std::span<const double> x = {}) const { return local(x); }
  struct Inner { double depth; };
 private:
  int secret_ = 0;
  struct Hidden { int member; };
};
class Closed {
  int also_secret();
 public:
  template <class T, class = std::enable_if_t<(sizeof(T) > 1)>>
  void open(T t);
};
namespace detail { void internal(); }
using Alias = std::vector<double>;
inline constexpr std::string_view constant = "text; void f();";
template <class F> Outer function(F f, Outer g = {}) { return f(g); }
class Forward;
}  // namespace geodescent
"""
NAMES = """Color red green Outer Outer::number Outer::of_them Outer::call Outer::Inner Outer::Inner::depth Closed Closed::open Alias
constant function""".split()


class ReferenceCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def put(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def test_public_names_are_found(self):
        self.assertEqual(check.names_of(self.put("a.hpp", HEADER)), {f"geodescent::{name}" for name in NAMES})

    def test_names_of_the_index(self):
        self.put("search/all_0.js", """var searchData=
[
  ['box_0',['Box',['../b.html',1,'Box&lt; T &gt;'],['../b.html#a',1,'geodescent::Box::Box()']]],
  ['red_1',['red',['../n.html#b',1,'geodescent']]],
  ['size_2',['size',['../b.html#c',1,'geodescent::Box']]]
];""")
        names = check.indexed_names(self.folder)
        self.assertLessEqual({"geodescent::Box", "geodescent::red", "geodescent::Box::size"}, names)
        self.assertNotIn("geodescent::size", names)

    def test_dead_links_are_found(self):
        self.put("b/other.html", '<a id="there">')
        self.put("index.html", '<a href="b/other.html#there"><a href="b/other.html#gone"><img src="gone.png"><a href="https://x.y/z">'
                               '<a href="#top"><p id="top">')
        self.assertEqual(sorted(check.dead_links(self.folder)),
                         ["index.html: dead anchor b/other.html#gone", "index.html: dead link gone.png"])


unittest.main()
