// Which clauses a model looks at while it reads each of them: a row for each clause, a cell for
// each clause before it. The colour is the lift, how much more than by its length alone; signs show
// which clauses refer to each other and which use terms of another.

import * as api from './api.js';
import { announce, button, element, find, replaceChildren, svgElement } from './dom.js';
import { openDialog } from './dialogs.js';
import { shortened, walkCells } from './cell_grid.js';
import { listen, tell } from './events.js';
import { openDocumentNow } from './document_view.js';
import { number, percent, words } from './i18n.js';
import { phaseWords } from './phase_words.js';
import { clauseName } from './places.js';

const kLifts = [0, 1, 1.5, 2, 3, 5, 8];  // where each colour begins
const kCell = 15;
const kLabelUnits = 34;
const kLabelWidth = 250;

export function liftStep(lift) {
  let step = 0;
  while (step + 1 < kLifts.length && lift >= kLifts[step + 1]) step += 1;
  return step;
}

// The unit that holds each clause: its own, or that of the nearest clause above it.
function unitsOfClauses(units, clauses) {
  const own = new Map(units.map((unit, i) => [unit.clause, i]));
  return clauses.map((_, i) => {
    let at = i;
    while (at >= 0 && !own.has(at)) at = clauses[at].parent;
    return at >= 0 ? own.get(at) : -1;
  });
}

// "row column" of pairs of units where the row names the column, or uses a term that it defines.
function linkedPairs(open, units, references, definitions) {
  const unitOf = unitsOfClauses(units, open.clauses);
  const byName = new Map(open.clauses.map((clause, i) => [clause.label, unitOf[i]]));
  const pairs = { references: new Set(), terms: new Set() };
  const add = (set, row, column) => {
    if (row > column && column >= 0) set.add(`${row} ${column}`);
  };
  for (const one of references) {
    for (const target of one.target_indices) {
      add(pairs.references, unitOf[one.clause_index] ?? -1, unitOf[target] ?? -1);
    }
  }
  for (const one of definitions) {
    for (const use of one.uses) {
      add(pairs.terms, byName.get(use.clause) ?? -1, byName.get(one.clause) ?? -1);
    }
  }
  return pairs;
}

class MapView {
  constructor(open, map, pairs) {
    this.open = open;
    this.map = map;
    this.pairs = pairs;
    this.read = element('p', { class: 'heat-read', 'aria-hidden': 'true' }, words('cell_hint'));
    this.place = element('div', { class: 'heat heat-large' },
      element('p', { class: 'note' }, words('map_about', { model: map.model,
        tokens: number(map.tokens_read) })),
      element('div', { class: 'heat-scroll' }, this.grid()), this.read, this.legend());
  }

  name(i) {
    const unit = this.map.units[i];
    const clause = this.open.clauses[unit.clause];
    if (!clause) return words('no_clause');
    return [clauseName(clause, words), clause.heading || clause.opening].filter(Boolean).join(' ');
  }

  grid() {
    const { units } = this.map;
    this.cells = units.map((_, row) => Array.from({ length: row }, (__, column) =>
      this.cell(row, column))).slice(1);
    this.cells[0]?.[0]?.setAttribute('tabindex', '0');
    const tellCell = (event) => {
      const cell = event.target.closest('.heat-cell');
      if (cell) this.read.textContent = cell.getAttribute('aria-label');
    };
    return svgElement('svg', {
      class: 'heat-map', role: 'grid', 'aria-label': words('document_map'),
      width: kLabelWidth + kCell * units.length + 60, height: kCell * units.length + 4,
      on: { pointerover: tellCell, focusin: tellCell,
        click: (event) => this.choose(event.target.closest('.heat-cell')),
        keydown: (event) => walkCells(this.cells, event, (cell) => this.choose(cell)) },
    }, units.map((_, row) => svgElement('g', { role: 'row' },
      svgElement('text', { role: 'rowheader', class: 'heat-label', x: 0, y: kCell * row + 12 },
        shortened(this.name(row), kLabelUnits)),
      row > 0 ? this.cells[row - 1] : null,
      svgElement('text', { class: 'heat-head', 'aria-hidden': 'true',
        x: kLabelWidth + kCell * row + 3, y: kCell * row + 12 },
      shortened(units[row].label, 12)))));
  }

  cell(row, column) {
    const lift = this.map.rows[row].lifts[column];
    const share = this.map.rows[row].shares[column];
    const key = `${row} ${column}`;
    const signs = [this.pairs.references.has(key) ? words('map_refers') : null,
      this.pairs.terms.has(key) ? words('map_uses_term') : null].filter(Boolean);
    const about = [words('map_cell', { row: this.name(row), column: this.name(column),
      lift: number(lift, 1), percent: percent(share) }), ...signs].join(' · ');
    const x = kLabelWidth + kCell * column;
    const y = kCell * row;
    return svgElement('g', {
      role: 'gridcell', tabindex: -1, 'aria-label': about,
      class: `heat-cell heat-${liftStep(lift)}`, data: { row, column, lift },
    },
    svgElement('rect', { x: x + 0.5, y: y + 0.5, width: kCell - 1, height: kCell - 1, rx: 2 }),
    this.pairs.references.has(key) ? svgElement('circle', { class: 'map-reference',
      cx: x + kCell / 2, cy: y + kCell / 2, r: 4.5 }) : null,
    this.pairs.terms.has(key) ? svgElement('circle', { class: 'map-term',
      cx: x + kCell / 2, cy: y + kCell / 2, r: 1.8 }) : null);
  }

  // The earlier clause: what was looked at.
  choose(cell) {
    if (!cell) return;
    const { clause, begin, end } = this.map.units[Number(cell.dataset.column)];
    find('dialog[open]')?.close();
    if (clause >= 0) tell('clause', { index: clause });
    else tell('place', { id: this.open.id, begin, end, kind: 'clause' });
  }

  legend() {
    const sign = (name) => svgElement('svg', { width: 14, height: 14, 'aria-hidden': 'true' },
      svgElement('circle', { class: name, cx: 7, cy: 7, r: name === 'map-term' ? 1.8 : 4.5 }));
    return element('div', { class: 'heat-legend' },
      element('span', { class: 'note' }, words('map_scale')),
      kLifts.map((lift, step) => element('span', { class: `heat-key heat-key-${step}` },
        `${step === 0 ? '' : '≥ '}${number(lift, lift % 1 ? 1 : 0)}`)),
      element('span', { class: 'note map-sign' }, sign('map-reference'), words('map_refers')),
      element('span', { class: 'note map-sign' }, sign('map-term'), words('map_uses_term')));
  }
}

async function measure(open, place, signal) {
  const status = element('p', { class: 'turn-phase', role: 'status' }, words('planning'));
  const bar = element('progress', { max: 1, 'aria-label': words('reading') });
  replaceChildren(place, status, bar);
  const [references, definitions] = await Promise.all([
    api.referencesOf(open.id, signal), api.definitionsOf(open.id, signal)]);
  for await (const { kind, data } of api.mapOf(open.id, signal)) {
    if (kind === 'queued' || kind === 'progress') {
      status.textContent = phaseWords({ kind, ...data });
      if (data.total > 0) bar.value = data.done / data.total;
    } else if (kind === 'map') {
      const pairs = linkedPairs(open, data.units, references.references, definitions.definitions);
      replaceChildren(place, new MapView(open, data, pairs).place);
      announce(words('map_ready'));
      return;
    }
  }
  throw new api.ServiceError(words('error_ended'));
}

function openMap() {
  const open = openDocumentNow();
  if (!open) return;
  const control = new AbortController();
  const place = element('div', { class: 'map-place' });
  openDialog(words('document_map'), { class: 'dialog-large' }, place)
    .addEventListener('close', () => control.abort());
  measure(open, place, control.signal).catch((error) => {
    if (error.name === 'AbortError') return;
    const isTooLong = error.code === 'context_length_exceeded';
    replaceChildren(place, element('p', { class: 'failure', role: 'alert' },
      words(isTooLong ? 'map_too_long' : 'failed', { reason: error.message })));
  });
}

export function startDocumentMap() {
  const place = find('#map-button');
  const render = () => replaceChildren(place, button(words('map_button'), {
    class: 'button button-quiet', title: words('map_hint'), on: { click: openMap } }));
  render();
  listen('language', render);
}
