// The figures as charts. Ranges and tics come with the data and are those of the printed figures.

const charts = [];

/** Later curves are drawn over earlier ones, as in print. */
function datasetOf(curve, index) {
  const method = methods.get(curve.method);
  const marker = markers[method.marker];
  const marked = new Set(marker ? curve.markers : []);
  return {
    label: method.label,
    method: method.name,
    data: curve.x.map((x, i) => ({ x, y: curve.y[i] === null ? NaN : curve.y[i] })),
    stepped: curve.steps ? 'before' : false,
    borderWidth: method.width,
    borderDash: method.dash,
    borderJoinStyle: 'round',
    pointStyle: marker ? marker.shape : 'circle',
    pointRotation: marker && marker.turn ? marker.turn : 0,
    pointRadius: curve.x.map((_, i) => (marked.has(i) ? 4 : 0)),
    pointBorderWidth: 1.2,
    pointHoverRadius: 6,
    pointHitRadius: 0,
    clip: 6,
    order: -index,
  };
}

/** Breaks a long text into lines, for the titles of axes. */
function lines(text, longest = 42) {
  const result = [];
  for (const word of text.split(' ')) {
    const last = result.length - 1;
    if (last >= 0 && result[last].length + word.length < longest) result[last] += ` ${word}`;
    else result.push(word);
  }
  return result;
}

function scaleOf(axis) {
  const labels = new Map(axis.tics.map((tic, i) => [tic, axis.ticLabels[i]]));
  return {
    type: axis.logarithmic ? 'logarithmic' : 'linear',
    min: axis.low,
    max: axis.high,
    reverse: axis.reversed,
    title: { display: axis.label !== '', text: lines(axis.label) },
    afterBuildTicks: (scale) => { scale.ticks = axis.tics.map((value) => ({ value })); },
    ticks: { callback: (value) => labels.get(value) ?? '', maxRotation: 0, autoSkipPadding: 8 },
    grid: { drawBorder: true, drawTicks: true, tickLength: 5 },
  };
}

function tooltipOf(panel) {
  return {
    displayColors: false,
    padding: 10,
    caretPadding: 8,
    callbacks: {
      title: (items) => (items.length ? items[0].dataset.label : ''),
      label: (item) => [
        `${panel.x.label || 'x'}: ${shown(item.parsed.x)}`,
        `${panel.y.label || 'y'}: ${shown(item.parsed.y)}`,
      ],
    },
  };
}

/** Sets everything that depends on the colour scheme. */
function paint(chart) {
  for (const dataset of chart.data.datasets) {
    const method = methods.get(dataset.method);
    const marker = markers[method.marker];
    dataset.borderColor = dataset.pointBorderColor = onThisPage(method.colour);
    dataset.pointBackgroundColor = marker && marker.open ? variable('--paper') : dataset.borderColor;
  }
  for (const scale of Object.values(chart.options.scales)) {
    scale.title.color = variable('--ink');
    scale.ticks.color = variable('--soft');
    scale.grid.color = variable('--grid');
    scale.grid.borderColor = variable('--soft');
  }
  Object.assign(chart.options.plugins.tooltip, {
    backgroundColor: variable('--raised'), titleColor: variable('--ink'), bodyColor: variable('--ink'),
    borderColor: variable('--rule'), borderWidth: 1,
  });
}

function chartOf(canvas, panel) {
  const chart = new Chart(canvas, {
    type: 'line',
    data: { datasets: panel.curves.map(datasetOf) },
    options: {
      animation: false,
      maintainAspectRatio: false,
      parsing: false,
      normalized: false,
      layout: { padding: { top: 6, right: 18 } },
      interaction: { mode: 'nearest', axis: 'xy', intersect: false },
      scales: { x: scaleOf(panel.x), y: scaleOf(panel.y) },
      plugins: { legend: { display: false }, tooltip: tooltipOf(panel) },
    },
  });
  paint(chart);
  chart.update();
  charts.push(chart);
}

function switchInCharts(method) {
  for (const chart of charts) {
    chart.data.datasets.forEach((dataset, i) => {
      if (dataset.method === method.name) chart.setDatasetVisibility(i, method.visible);
    });
    chart.update();
  }
}

function panelsOf(figure) {
  const panels = element('div', { class: figure.panels.length === 1 ? 'panels single' : 'panels' });
  const canvases = figure.panels.map((panel) => {
    const names = panel.curves.map((curve) => methods.get(curve.method).label).join(', ');
    const text = `${panel.title || figure.title}: ${panel.y.label} against ${panel.x.label}, for ${names}`;
    const canvas = element('canvas', { role: 'img', 'aria-label': text });
    panels.append(element('div', { class: 'panel' }, ...(panel.title ? [element('h3', {}, panel.title)] : []),
      element('div', { class: 'canvas' }, canvas)));
    return canvas;
  });
  return { panels, canvases };
}

/** A button that replaces the charts by the printed figure. */
function printToggle(interactive, printed) {
  const button = element('button', { type: 'button', class: 'toggle', 'aria-pressed': 'false' }, 'Print version');
  button.addEventListener('click', () => {
    printed.hidden = !printed.hidden;
    interactive.hidden = !printed.hidden;
    button.setAttribute('aria-pressed', String(!printed.hidden));
  });
  return button;
}

function showFigure(figure) {
  const { panels, canvases } = panelsOf(figure);
  const interactive = element('div', { class: figure.svg ? 'interactive has-print' : 'interactive' }, panels);
  const head = element('div', { class: 'figure-head' }, element('h2', {}, figure.title));
  const section = element('figure', { style: 'margin: 0' }, head,
    element('figcaption', { class: 'caption' }, figure.caption), interactive);
  if (figure.svg) {
    const picture = element('img', { class: 'paper', alt: `${figure.title}. ${figure.caption}`, src: pictureAddress(figure.svg) });
    const printed = element('div', { class: 'printed', hidden: true }, picture);
    section.append(printed);
    head.append(printToggle(interactive, printed));
  }
  document.getElementById('figures').append(section);
  figure.panels.forEach((panel, i) => chartOf(canvases[i], panel));
}

function showFigures() {
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.font.size = 13;
  data.figures.forEach(showFigure);
  darkScheme.addEventListener('change', () => charts.forEach((chart) => { paint(chart); chart.update(); }));
}
