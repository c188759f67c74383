// The page from top to bottom.

function showWarnings() {
  const lines = data.warnings.map((text) => element('p', { class: 'warning', role: 'note' }, element('strong', {}, 'Note'), text));
  document.getElementById('warnings').append(...lines);
}

function showClaims() {
  if (data.claims.length === 0) return;
  const signs = { 'holds': '✓', 'holds in part': '◐', 'does not hold': '✗', 'not measured': '–' };
  const badge = (verdict) => element('span', { class: `badge ${verdict.replaceAll(' ', '-')}` }, `${signs[verdict] ?? ''} ${verdict}`);
  const rows = data.claims.map((claim) => element('tr', {},
    element('td', {}, claim.source), element('td', {}, claim.statement), element('td', {}, claim.measured),
    element('td', {}, badge(claim.verdict))));
  const titles = ['Source', 'Statement', 'Measured', 'Verdict'].map((title) => element('th', { scope: 'col' }, title));
  const section = document.getElementById('claims');
  section.append(element('div', { class: 'scroll' },
    element('table', {}, element('thead', {}, element('tr', {}, ...titles)), element('tbody', {}, ...rows))));
  section.hidden = false;
}

function showFacts() {
  const list = document.getElementById('facts');
  for (const [name, value] of Object.entries(data.facts)) list.append(element('dt', {}, name), element('dd', {}, value));
  if (data.files.length) document.getElementById('files').textContent = `Written beside this page: ${data.files.join(', ')}.`;
}

document.getElementById('lead').textContent = data.lead;
showWarnings();
showClaims();
showMethods(switchInCharts);
showFigures();
showSteppers();
showTables();
showFacts();
document.documentElement.dataset.ready = 'true';
