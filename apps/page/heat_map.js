// The heat map of an answer: clauses of the document by the question, the answer and its sentences,
// or by the model's layers. A cell is the share of the evidence on the document, as the service
// measured it; its colour is one of seven steps of the square root, so that small shares show.

import { button, element, find, replaceChildren, svgElement } from './dom.js';
import { openDialog } from './dialogs.js';
import { documentIdOf } from './citations.js';
import { shortened, walkCells } from './cell_grid.js';
import { icon } from './icons.js';
import { tell } from './events.js';
import { openDocumentNow } from './document_view.js';
import { percent, words } from './i18n.js';
import { clauseName } from './places.js';

export const kSteps = 7;
const kMostUsed = 14;       // rows at first, and of these only clauses that a column puts this on:
const kLeastShare = 0.005;
const kMostCells = 20_000;   // of a map of all clauses; over it the most used ones are shown
const kRowHeight = 24;
const kHeadHeight = 24;
// Of the column of clauses, in the answer and in the large window; a Han character is two units.
const kLabels = { small: { width: 172, units: 22 }, large: { width: 330, units: 44 } };

export function stepOf(share, largest) {
  if (!(share > 0) || !(largest > 0)) return 0;
  return Math.min(kSteps - 1, Math.floor(Math.sqrt(share / largest) * kSteps));
}

function columnName(row) {
  const sentence = /^sentence (\d+)$/.exec(row.name);
  if (sentence) return { short: sentence[1], long: words('sentence_number',
    { number: sentence[1] }) };
  if (row.name === 'question' || row.name === 'answer') {
    return { short: words(`column_${row.name}`), long: words(`column_${row.name}`) };
  }
  return { short: row.name, long: row.name };
}

function columnsOf(map, by) {
  if (by === 'layers') {
    return map.layers.map((layer) => ({ short: String(layer.layer),
      long: words('layer_number', { layer: layer.layer }), shares: layer.shares }));
  }
  return map.rows.map((row) => ({ ...columnName(row), shares: row.shares }));
}

function rowIndices(map, columns, showsAll) {
  const all = map.clauses.map((_, i) => i);
  const most = showsAll ? Math.floor(kMostCells / columns.length) : kMostUsed;
  if (showsAll && all.length <= most) return all;
  const largest = all.map((i) => Math.max(...columns.map((column) => column.shares[i] ?? 0)));
  return all.filter((i) => showsAll || largest[i] >= kLeastShare)
    .sort((a, b) => largest[b] - largest[a]).slice(0, most).sort((a, b) => a - b);
}


export class HeatMap {
  constructor(turn, isLarge = false) {
    this.turn = turn;
    this.map = turn.answer.map;
    this.isLarge = isLarge;
    this.label = isLarge ? kLabels.large : kLabels.small;
    this.by = 'sentences';
    this.showsAll = isLarge;
    this.place = element('div', { class: `heat ${isLarge ? 'heat-large' : ''}` });
    this.render();
  }

  clauseText(place) {
    const clause = this.map.clauses[place];
    const open = openDocumentNow();
    const known = open && open.id === this.turn.body.document
      ? open.clauses[clause.clause] : undefined;
    const name = known ? clauseName(known, words) : clause.label || words('no_clause');
    return [name, clause.heading || known?.opening].filter(Boolean).join(' ');
  }

  choice(key, field, value) {
    return button(words(key), {
      'aria-pressed': String(this[field] === value),
      on: { click: () => {
        this[field] = value;
        this.render();
        this.place.querySelector(`[data-choice="${key}"]`)?.focus();
      } },
      data: { choice: key },
    });
  }

  controls() {
    return element('div', { class: 'heat-controls' },
      element('div', { class: 'switch', role: 'group', 'aria-label': words('columns') },
        this.choice('by_sentences', 'by', 'sentences'), this.choice('by_layers', 'by', 'layers')),
      element('div', { class: 'switch', role: 'group', 'aria-label': words('rows') },
        this.choice('rows_most', 'showsAll', false), this.choice('rows_all', 'showsAll', true)),
      this.isLarge ? null : button(words('enlarge'), { class: 'button button-quiet',
        on: { click: () => this.enlarge() } }, icon('enlarge')));
  }

  enlarge() {
    openDialog(words('heat_map'), { class: 'dialog-large' }, new HeatMap(this.turn, true).place);
  }

  render() {
    const columns = columnsOf(this.map, this.by);
    this.read = element('p', { class: 'heat-read', 'aria-hidden': 'true' }, words('cell_hint'));
    this.largest = Math.max(0, ...columns.flatMap((column) => column.shares));
    const grid = this.grid(columns);
    const isCut = this.showsAll && this.cells.length < this.map.clauses.length;
    replaceChildren(this.place,
      element('p', { class: 'note' }, words('heat_map_about')), this.controls(),
      isCut ? element('p', { class: 'note' }, words('rows_cut', { count: this.cells.length,
        all: this.map.clauses.length })) : null,
      element('div', { class: 'heat-scroll' }, grid), this.read, this.legend());
  }

  grid(columns) {
    const rows = rowIndices(this.map, columns, this.showsAll);
    const hasFigure = this.by === 'sentences';
    const width = hasFigure ? 54 : this.isLarge ? 26 : 13;
    const left = this.label.width;
    const height = kHeadHeight + kRowHeight * rows.length;
    this.cells = rows.map((clause, i) => columns.map((column, k) => this.cell(clause, column, {
      x: left + width * k, y: kHeadHeight + kRowHeight * i, width, hasFigure })));
    this.cells[0]?.[0]?.setAttribute('tabindex', '0');
    const name = words(this.by === 'layers' ? 'by_layers' : 'by_sentences');
    const tellCell = (event) => {
      const cell = event.target.closest('.heat-cell');
      if (cell) this.read.textContent = cell.getAttribute('aria-label');
    };
    return svgElement('svg', {
      class: 'heat-map', width: left + width * columns.length, height, role: 'grid',
      'aria-label': words('heat_map_label', { columns: name }),
      on: { pointerover: tellCell, focusin: tellCell, click: (event) => this.click(event),
        keydown: (event) => walkCells(this.cells, event,
          (cell) => this.show(Number(cell.dataset.clause))) },
    }, this.head(columns, width, hasFigure), rows.map((clause, i) => this.row(clause, i)));
  }

  row(clause, i) {
    return svgElement('g', { role: 'row' },
      svgElement('text', { role: 'rowheader', class: 'heat-label', x: 0,
        y: kHeadHeight + kRowHeight * i + 16 },
      shortened(this.clauseText(clause), this.label.units)), this.cells[i]);
  }

  head(columns, cell, isWide) {
    const isNarrow = !isWide && !this.isLarge;
    return svgElement('g', { role: 'row' },
      svgElement('text', { role: 'columnheader', class: 'heat-label', x: 0, y: 15 },
        words('clauses')),
      columns.map((column, x) => svgElement('text', {
        role: 'columnheader', class: isNarrow ? 'heat-head heat-head-narrow' : 'heat-head',
        x: this.label.width + cell * (x + 0.5), y: 15, 'text-anchor': 'middle',
        'aria-label': column.long,
      }, column.short)));
  }

  cell(clause, column, { x, y, width, hasFigure }) {
    const share = column.shares[clause] ?? 0;
    const about = words('cell', { clause: this.clauseText(clause),
      column: column.long, percent: percent(share) });
    return svgElement('g', {
      role: 'gridcell', tabindex: -1, 'aria-label': about,
      class: `heat-cell heat-${stepOf(share, this.largest)}`,
      'data-clause': clause, 'data-share': share,
    },
    svgElement('rect', { x: x + 1, y: y + 1, width: width - 2, height: kRowHeight - 2, rx: 2 }),
    hasFigure && share >= 0.0005 ? svgElement('text', { x: x + width / 2, y: y + 16,
      'text-anchor': 'middle', 'aria-hidden': 'true' }, percent(share)) : null);
  }

  click(event) {
    const cell = event.target.closest('.heat-cell');
    if (cell) this.show(Number(cell.dataset.clause));
  }

  show(index) {
    const clause = this.map.clauses[index];
    find('dialog[open]')?.close();
    const id = documentIdOf(clause, this.turn);
    if (openDocumentNow()?.id === id && Number.isInteger(clause.clause) && clause.clause >= 0) {
      tell('clause', { index: clause.clause });
    } else {
      tell('place', { id, begin: clause.begin, end: clause.end, kind: 'clause' });
    }
  }

  legend() {
    const from = (step) => percent(this.largest * (step / kSteps) ** 2);
    return element('div', { class: 'heat-legend' },
      element('span', { class: 'note' }, words('scale')),
      Array.from({ length: kSteps }, (_, step) => element('span',
        { class: `heat-key heat-key-${step}` }, from(step))), element('span', { class: 'note' },
        '%'));
  }
}

export function heatMapView(turn) {
  const { map } = turn.answer;
  if (!map || map.clauses.length === 0) {
    return element('p', { class: 'note' }, words('nothing_measured'));
  }
  return new HeatMap(turn).place;
}
