"""check_links.py FOLDER...: every relative link and anchor in the Markdown files below FOLDER has a target below it.

Reads no network. An anchor is that of a heading, as GitHub and GitLab make it, or of an HTML id. Prints each dead link with file
and line; exits with 1 if there is one.
"""

import html
import pathlib
import re
import sys
import urllib.parse

SKIPPED_FOLDERS = {"build", ".git"}
FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
INLINE = re.compile(r"\]\(\s*<?([^\s)>]+)>?(?:\s+[\"'(][^)]*)?\)")
DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?")
ATTRIBUTE = re.compile(r"<[a-zA-Z][^>]*\b(?:href|src)=[\"']([^\"']+)[\"']")
ID = re.compile(r"<[a-zA-Z][^>]*\b(?:id|name)=[\"']([^\"']+)[\"']")
HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$")
SCHEME = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:|^//")


def text_lines(path):
    """(number, line) for each line outside of blocks of code."""
    fence = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark = FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip(mark[1][0] + " "):
                fence = None
        elif mark:
            fence = mark[1]
        else:
            yield number, line


def links(path):
    """(number, target) for each link."""
    for number, line in text_lines(path):
        plain = CODE.sub("", line)
        definition = DEFINITION.match(plain)
        targets = INLINE.findall(plain) + ATTRIBUTE.findall(plain) + ([definition[1]] if definition else [])
        for target in targets:
            yield number, html.unescape(target)


def anchor_of(heading):
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"<[^>]*>", "", text)
    text = re.sub(r"[^\w\- ]", "", html.unescape(text).strip().lower())
    return text.replace(" ", "-")


def anchors(path):
    found = set()
    for _, line in text_lines(path):
        found.update(ID.findall(line))
        heading = HEADING.match(line)
        if heading:
            name = anchor_of(heading[1])
            repeated = name
            count = 0
            while repeated in found:
                count += 1
                repeated = f"{name}-{count}"
            found.add(repeated)
    return found


def fault(root, page, target):
    """What is wrong with a link of a page; None for a good one and for one that leaves the machine."""
    if SCHEME.match(target):
        return None
    path, _, anchor = target.partition("#")
    path = urllib.parse.unquote(path)
    if path.startswith("/"):
        return "starts at the root of the file system"
    there = (page.parent / path).resolve() if path else page.resolve()
    if not there.is_relative_to(root):
        return "leaves the folder"
    if not there.exists():
        return "no such file"
    if anchor and there.suffix == ".md" and urllib.parse.unquote(anchor) not in anchors(there):
        return "no such heading"
    return None


def pages(root):
    for path in sorted(root.rglob("*.md")):
        if not SKIPPED_FOLDERS & set(path.relative_to(root).parts):
            yield path


def check(folder):
    """The dead links below a folder, one text each, and the number of links."""
    root = pathlib.Path(folder).resolve()
    dead = []
    count = 0
    for page in pages(root):
        for number, target in links(page):
            count += 1
            reason = fault(root, page, target)
            if reason:
                dead.append(f"{page.relative_to(root)}:{number}: {target}: {reason}")
    return dead, count


def main():
    status = 0
    for folder in sys.argv[1:]:
        dead, count = check(folder)
        print("\n".join(dead + [f"{folder}: {count} links, {len(dead)} dead"]))
        if dead or not count:
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
