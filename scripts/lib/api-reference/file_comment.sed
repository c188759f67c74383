# The comment at the top of a header describes the file. Lines keep their numbers.
1,/^#pragma once/{
  1s|^// |/// @thisfile |
  s|^// |/// |
  s|^//$|///|
}
