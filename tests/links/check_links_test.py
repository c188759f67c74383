"""The checker of links finds what is dead, and nothing else."""

import pathlib
import tempfile
import unittest

from check_links import check

HOME = """# Title of `code` & more

[good](sub/page.md), [its part](sub/page.md#a-second-part), [twice](sub/page.md#part-1), [folder](sub), [here](#title-of-code--more),
[titled](sub/page.md "A title"), [far](https://example.org/none.md#x), <img src="sub/picture.svg">, [an id](sub/page.md#anchor)

[defined]: sub/page.md

`[code](none.md)`
```
[block](none.md)
```
"""
PAGE = """# Part
## Part
## A [second](../home.md) part
<a id="anchor"></a>
"""


class Links(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "sub").mkdir()
        (self.root / "sub/picture.svg").write_text("<svg/>")
        (self.root / "sub/page.md").write_text(PAGE)
        (self.root / "home.md").write_text(HOME)

    def dead(self, text):
        (self.root / "more.md").write_text(text)
        return [line.split(": ", 1)[1] for line in check(self.root)[0]]

    def test_good_links_are_good(self):
        dead, count = check(self.root)
        self.assertEqual((dead, count), ([], 11))

    def test_dead_links_are_found(self):
        for link, reason in [("none.md", "no such file"), ("sub/page.md#none", "no such heading"), ("#none", "no such heading"),
                             ("sub/page.md#part-2", "no such heading"), ("../outside.md", "leaves the folder"),
                             ("/etc/passwd", "starts at the root of the file system")]:
            self.assertEqual(self.dead(f"[x]({link})"), [f"{link}: {reason}"])
            self.assertEqual(self.dead(f"[x]: {link}"), [f"{link}: {reason}"])
            self.assertEqual(self.dead(f'<a href="{link}">x</a>'), [f"{link}: {reason}"])

    def test_folders_of_builds_are_not_read(self):
        (self.root / "build").mkdir()
        (self.root / "build/page.md").write_text("[x](none.md)")
        self.assertEqual(check(self.root)[0], [])


if __name__ == "__main__":
    unittest.main()
