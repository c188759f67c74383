// The row of switches, each of which shows or hides a method in all charts.

const methods = new Map(data.methods.map((method) => [method.name, { ...method, visible: true }]));

/** The markers of style.hpp: the same shapes as in the printed figures. */
const markers = [
  { shape: 'circle' }, { shape: 'rect' }, { shape: 'triangle' }, { shape: 'triangle', turn: 180 }, { shape: 'rectRot' },
  { shape: 'circle', open: true }, { shape: 'rect', open: true }, { shape: 'triangle', open: true },
  { shape: 'rectRot', open: true },
];

const outlines = { circle: null, rect: '-4,-4 4,-4 4,4 -4,4', triangle: '0,-5 5,4 -5,4', rectRot: '0,-5 5,0 0,5 -5,0' };

function sampleOf(method) {
  const picture = svgElement('svg', { width: 44, height: 16, viewBox: '0 0 44 16', 'aria-hidden': 'true' });
  const colour = onThisPage(method.colour);
  picture.append(svgElement('line', {
    x1: 1, x2: 43, y1: 8, y2: 8, stroke: colour, 'stroke-width': method.width, 'stroke-dasharray': method.dash.join(' '),
  }));
  const marker = markers[method.marker];
  if (!marker) return picture;
  const look = {
    transform: `translate(22 8) rotate(${marker.turn || 0})`,
    fill: marker.open ? variable('--paper') : colour, stroke: colour, 'stroke-width': 1.2,
  };
  const points = outlines[marker.shape];
  picture.append(points ? svgElement('polygon', { ...look, points }) : svgElement('circle', { ...look, r: 4 }));
  return picture;
}

/** Builds the row; `changed(method)` is called after each switch. */
function showMethods(changed) {
  const row = document.getElementById('methods');
  if (methods.size === 0) return;
  row.hidden = false;
  row.setAttribute('aria-label', 'Methods shown in the charts');
  row.addEventListener('submit', (event) => event.preventDefault());
  for (const method of methods.values()) {
    const box = element('input', { type: 'checkbox', checked: true, 'data-method': method.name, autocomplete: 'off' });
    const label = element('label', { title: method.label }, box, sampleOf(method), element('span', { class: 'name' }, method.label));
    box.addEventListener('change', () => {
      method.visible = box.checked;
      changed(method);
    });
    darkScheme.addEventListener('change', () => label.querySelector('svg').replaceWith(sampleOf(method)));
    row.append(label);
  }
}
