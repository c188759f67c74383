// Colours follow the system's light or dark scheme.

const darkScheme = window.matchMedia('(prefers-color-scheme: dark)');

function variable(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Styles are designed for a white background. On a dark page dark colours are lightened. */
function onThisPage(colour) {
  if (!darkScheme.matches) return colour;
  const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  const luminance = 0.2126 * parts[0] ** 2.2 + 0.7152 * parts[1] ** 2.2 + 0.0722 * parts[2] ** 2.2;
  const white = luminance < 0.005 ? 0.9 : luminance < 0.13 ? 0.45 : luminance < 0.2 ? 0.25 : 0;
  const mixed = parts.map((part) => Math.round(255 * (part + (1 - part) * white)));
  return `rgb(${mixed.join(', ')})`;
}
