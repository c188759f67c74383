// Small helpers. All text of a report goes through textContent, and pictures through <img>, where no script runs.

const data = JSON.parse(document.getElementById('data').textContent);

/** element('p', {class: 'caption'}, 'text', child, ...) */
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children);
  return node;
}

function svgElement(tag, attributes) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

/** An SVG text as a data URL. A standalone SVG needs its XML namespace. */
function pictureAddress(svg) {
  const named = svg.includes('xmlns=') ? svg : svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');
  return 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(named);
}

/** A number with at most six digits. A bound is rounded outward: direction 1 is up, -1 is down. */
function shown(number, direction = 0) {
  const nearest = Number(number.toPrecision(6));
  if (direction * (nearest - number) >= 0) return String(nearest);
  return String(Number((number + direction * Math.abs(number) * 5e-6).toPrecision(6)));
}
