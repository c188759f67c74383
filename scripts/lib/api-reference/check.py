"""check.py FOLDER HEADER...: the API reference in FOLDER has every public name of the headers, and no dead link.

The names are read from the headers by a small scanner that shares nothing with Doxygen: types, members that are not private,
functions, constants, aliases and enumerators. The reference has a name if its search index has it. Exits with 1 after printing
what is missing.
"""

import html
import pathlib
import re
import sys
import urllib.parse

TOKEN = re.compile(r"[A-Za-z_]\w*|::|[{}()\[\];:,=<>~&*]|\S")
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|^\s*#(?:[^\n]*\\\n)*[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S | re.M)
ACCESS = ("public", "protected", "private")
KEYWORDS = {"const", "constexpr", "inline", "static", "override", "final", "noexcept", "requires", "sizeof", "decltype", "explicit",
            "virtual", "friend", "return", "alignas", "operator", "typename", "class", "struct", "template", "default", "delete"}


class Scanner:
    def __init__(self, text):
        self.tokens = TOKEN.findall(COMMENT.sub(lambda m: '""' if m[0][0] in "\"'" else " ", text))
        self.names = set()

    def skip_block(self, i, opening, closing):
        """The place behind the token that closes the one at i."""
        depth = 0
        while True:
            if opening == "<" and self.tokens[i] == "(":  # a comparison in it is not a bracket
                i = self.skip_block(i, "(", ")")
                continue
            depth += (self.tokens[i] == opening) - (self.tokens[i] == closing)
            i += 1
            if depth == 0:
                return i

    def enumerators(self, i, scope):
        end = self.skip_block(i, "{", "}")
        expected = True
        for token in self.tokens[i + 1:end - 1]:
            if expected and re.match(r"[A-Za-z_]", token):
                self.names.add(f"{scope}::{token}")  # as the index has it
            expected = token == ","
        return end

    def declaration(self, words, scope):
        """Words of one declaration, without bodies."""
        if not words or words[0] in ("friend", "static_assert") or "operator" in words or "~" in words:
            return
        if words[0] == "using":
            if "=" in words:
                self.names.add(f"{scope}::{words[1]}")
            return
        depth, name = 0, None
        for k, word in enumerate(words):
            following = words[k + 1] if k + 1 < len(words) else ";"
            depth += (word == "<") - (word == ">")
            if depth == 0 and re.match(r"[A-Za-z_]", word) and word not in KEYWORDS and following in ("(", "=", ";", "{", "["):
                name = word
                break
            if word == "(":
                return
        if name and name != scope.rsplit("::", 1)[-1]:  # not a constructor
            self.names.add(f"{scope}::{name}")

    def scan(self, i, scope, in_type=False, access="public"):
        words = []
        while i < len(self.tokens):
            token = self.tokens[i]
            if token == "}":
                return i + 1
            if in_type and token in ACCESS and self.tokens[i + 1] == ":":
                access, i, words = token, i + 2, []
            elif token == "template":
                i = self.skip_block(i + 1, "<", ">")
            elif token == "[" and self.tokens[i + 1] == "[":
                i = self.skip_block(i, "[", "]")
            elif token == "(":
                words.append("(")
                i = self.skip_block(i, "(", ")")
            elif token == "{":
                i = self.block(i, words, scope, access)
                if self.tokens[i - 1] == "}" and i < len(self.tokens) and self.tokens[i] not in (";", ","):
                    words = []
            elif token == ";":
                if access != "private" and not ({"class", "struct", "enum"} & set(words[:1])):
                    self.declaration(words, scope)
                i, words = i + 1, []
            else:
                words.append(token)
                i += 1
        return i

    def block(self, i, words, scope, access):
        """What is in the braces at i; the place behind them."""
        public = access != "private"
        if words[:1] == ["namespace"]:
            inner = "::".join(word for word in words[1:] if word != "::")
            hidden = inner.split("::")[-1] in ("detail", "")
            words.clear()
            return self.skip_block(i, "{", "}") if hidden else self.scan(i + 1, f"{scope}::{inner}" if scope else inner)
        if words[:1] == ["enum"]:
            name = next(word for word in words[1:] if word != "class")
            if public:
                self.names.add(f"{scope}::{name}")
            words.clear()
            return self.enumerators(i, scope) if public else self.skip_block(i, "{", "}")
        if words and words[0] in ("class", "struct") and "(" not in words and "=" not in words:
            kind, name = words[0], words[1]
            words.clear()
            if not public:
                return self.skip_block(i, "{", "}")
            self.names.add(f"{scope}::{name}")
            return self.scan(i + 1, f"{scope}::{name}", True, "private" if kind == "class" else "public")
        if public:
            self.declaration(words, scope)
        words.clear()
        return self.skip_block(i, "{", "}")


def names_of(header):
    scanner = Scanner(pathlib.Path(header).read_text(encoding="utf-8"))
    scanner.scan(0, "")
    return scanner.names


def indexed_names(folder):
    """Qualified names. The index has types without their namespace, and enumerators without their type."""
    found = set()
    for index in folder.glob("search/all_*.js"):
        for line in index.read_text(encoding="utf-8").splitlines():
            entry = re.match(r"  \['[^']*',\['([^']*)',", line)
            if entry is None:
                continue
            name = html.unescape(entry[1])
            for scope in re.findall(r"',\d,'([^']*)'\]", line):
                scope = re.split(r"[(<]", html.unescape(scope))[0].strip()
                found.update((f"geodescent::{scope}", scope, f"{scope}::{name}"))
    return found


def dead_links(folder):
    pages = {page.relative_to(folder).as_posix(): page.read_text(encoding="utf-8") for page in folder.rglob("*.html")}
    anchors = {name: set(re.findall(r'\b(?:id|name)="([^"]+)"', text)) for name, text in pages.items()}
    for name, text in pages.items():
        for target in re.findall(r'\b(?:href|src)="([^"]+)"', text):
            target = html.unescape(target)
            if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//", target):
                continue
            path, _, anchor = target.partition("#")
            file = (folder / name).parent / urllib.parse.unquote(path) if path else folder / name
            if not file.exists():
                yield f"{name}: dead link {target}"
            elif anchor and file.suffix == ".html":
                key = file.resolve().relative_to(folder.resolve()).as_posix()
                if anchor not in anchors[key]:
                    yield f"{name}: dead anchor {target}"


def main():
    folder = pathlib.Path(sys.argv[1])
    names = {name: header for header in sys.argv[2:] for name in names_of(header)}
    found = indexed_names(folder)
    wrong = [f"{header}: the reference lacks {name}" for name, header in sorted(names.items()) if name not in found]
    wrong += sorted(set(dead_links(folder)))
    if not names or not found:
        wrong.append("no names were found")
    print(*wrong, sep="\n", file=sys.stderr, end="\n" if wrong else "")
    print(f"{len(names)} public names, {len(wrong)} problems")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
