// Tables that are sorted by a click on a column and filtered by words. Fast with thousands of rows.

const rowsAtOnce = 300;

/** The text of a cell: null means "not reached", '' means "not measured". */
function cellText(value, direction) {
  return value === null ? 'not reached' : typeof value === 'number' ? shown(value, direction) : value;
}

/** The rounding direction of each column. */
function directionsOf(table) {
  return table.columns.map((name) => (table.upper_bounds.includes(name) ? 1 : table.lower_bounds.includes(name) ? -1 : 0));
}

function isNumeric(rows, column) {
  const cells = rows.map((row) => row[column]);
  return cells.every((cell) => typeof cell !== 'string' || cell === '') && cells.some((cell) => cell !== '');
}

/** "Not reached" and then "not measured" come last in either order of sorting. */
function rank(value) {
  return value === null ? 1 : value === '' || value === undefined ? 2 : 0;
}

const inWords = new Intl.Collator('en', { numeric: true });

function comparison(column, direction) {
  return (a, b) => {
    const [left, right] = [a.cells[column], b.cells[column]];
    if (rank(left) || rank(right)) return rank(left) - rank(right);
    const order = typeof left === 'number' && typeof right === 'number'
      ? left - right : inWords.compare(String(left), String(right));
    return direction * order;
  };
}

function rowElement(row, numeric, directions) {
  const line = element('tr');
  row.cells.forEach((value, column) => {
    const cell = element('td', {}, cellText(value, directions[column]));
    if (numeric[column]) cell.classList.add('number');
    if (value === null) cell.classList.add('not-reached');
    if (typeof value === 'number') cell.title = String(value);
    line.append(cell);
  });
  return line;
}

class TableView {
  constructor(table) {
    this.table = table;
    this.numeric = table.columns.map((_, column) => isNumeric(table.rows, column));
    this.directions = directionsOf(table);
    const texts = (cells) => cells.map((cell, column) => cellText(cell, this.directions[column]));
    this.rows = table.rows.map((cells) => ({ cells, text: texts(cells).join('\n').toLowerCase() }));
    this.column = null;
    this.direction = 1;
    this.words = [];
    this.limit = rowsAtOnce;
    this.body = element('tbody');
    this.count = element('span', { class: 'count', role: 'status' });
    this.more = element('button', { type: 'button' }, 'Show all rows');
    this.more.addEventListener('click', () => { this.limit = Infinity; this.refresh(); });
    this.headers = table.columns.map((name, column) => this.header(name, column));
  }

  header(name, column) {
    const button = element('button', { type: 'button', title: `Sort by ${name}` }, element('span', {}, name));
    button.addEventListener('click', () => {
      this.direction = this.column === column ? -this.direction : 1;
      this.column = column;
      this.refresh();
    });
    return element('th', { scope: 'col', 'aria-sort': 'none', class: this.numeric[column] && 'number' }, button);
  }

  filterBox() {
    const box = element('input', {
      type: 'search', placeholder: 'Filter rows', 'aria-label': `Filter the rows of ${this.table.title}`, autocomplete: 'off',
    });
    box.addEventListener('input', () => {
      this.words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      this.limit = rowsAtOnce;
      this.refresh();
    });
    return box;
  }

  refresh() {
    const found = this.rows.filter((row) => this.words.every((word) => row.text.includes(word)));
    if (this.column !== null) found.sort(comparison(this.column, this.direction));
    const visible = found.slice(0, this.limit);
    this.body.replaceChildren(...visible.map((row) => rowElement(row, this.numeric, this.directions)));
    this.headers.forEach((header, column) => {
      const sorted = column !== this.column ? 'none' : this.direction > 0 ? 'ascending' : 'descending';
      header.setAttribute('aria-sort', sorted);
    });
    const part = visible.length < found.length ? `first ${visible.length} of ` : '';
    const of = found.length < this.rows.length ? ` of ${this.rows.length}` : '';
    this.count.textContent = `${part}${found.length}${of} rows`;
    this.more.hidden = visible.length === found.length;
  }

  section() {
    this.refresh();
    const id = `table-${this.table.name}`;
    const grid = element('table', { 'aria-labelledby': id }, element('thead', {}, element('tr', {}, ...this.headers)), this.body);
    return element('section', { 'data-table': this.table.name },
      element('h2', { id }, this.table.title),
      element('p', { class: 'caption' }, this.table.caption),
      element('div', { class: 'table-head' }, this.filterBox(), this.count, this.more),
      element('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-labelledby': id }, grid));
  }
}

function showTables() {
  document.getElementById('tables').append(...data.tables.map((table) => new TableView(table).section()));
}
