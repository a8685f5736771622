// The clauses of the open document as a tree of the ARIA pattern: one tab stop, arrow keys inside.
// Only rows whose parents are open exist, so a document of thousands of clauses costs what is seen.

import { element, find, replaceChildren, announce } from './dom.js';
import { listen, tell } from './events.js';
import { icon } from './icons.js';
import { number, percent, words } from './i18n.js';
import { clauseName } from './places.js';

const kFewClauses = 40;  // so many are all shown from the start
const kRevealed = 3;     // so many clauses with the most evidence are made visible

let clauses = [];
let children = [];
let opened = new Set();
let chosen = -1;
let inView = -1;
let filter = '';
let shares = new Map();  // index of a clause -> its share of the evidence of the shown answer
let shown = [];          // indices, in the order of the rows

function childrenOf(list) {
  const result = list.map(() => []);
  list.forEach((clause, i) => { if (clause.parent >= 0) result[clause.parent].push(i); });
  return result;
}

function matches(clause) {
  return `${clause.label} ${clause.heading} ${clause.opening ?? ''}`.toLowerCase()
    .includes(filter);
}

function visibleIndices() {
  if (filter) return clauses.map((_, i) => i).filter((i) => matches(clauses[i]));
  const isVisible = (i) => {
    for (let at = clauses[i].parent; at >= 0; at = clauses[at].parent) {
      if (!opened.has(at)) return false;
    }
    return true;
  };
  return clauses.map((_, i) => i).filter(isVisible);
}

function rowClass(clause) {
  const depth = filter ? 0 : Math.min(clause.depth, 6);
  return `clause depth-${depth} ${clause.heading ? '' : 'clause-bare'}`;
}

function row(i, isFocusStop) {
  const clause = clauses[i];
  const isParent = children[i].length > 0 && !filter;
  const share = shares.get(i);
  const siblings = clause.parent < 0 ? null : children[clause.parent];
  return element('li', {
    role: 'treeitem', id: `clause-${i}`, class: rowClass(clause),
    tabindex: isFocusStop ? 0 : -1, 'aria-level': filter ? 1 : clause.depth + 1,
    'aria-selected': i === chosen ? 'true' : 'false',
    'aria-expanded': isParent ? String(opened.has(i)) : undefined,
    'aria-posinset': filter || !siblings ? undefined : siblings.indexOf(i) + 1,
    'aria-setsize': filter || !siblings ? undefined : siblings.length,
    data: { index: i, inView: i === inView ? 'yes' : 'no' },
  },
  element('span', { class: isParent ? 'clause-twist' : 'clause-leaf', 'aria-hidden': 'true' },
    isParent ? icon('expand', 12) : null),
  element('span', { class: 'clause-number' }, clauseName(clause, words)), ' ',
  element('span', { class: clause.heading ? 'clause-heading' : 'clause-opening', dir: 'auto' },
    clause.heading || clause.opening || ''),
  share ? element('span', { class: 'clause-share',
    title: words('clause_share', { percent: percent(share) }) },
  element('span', { class: 'clause-share-bar', style: { width: `${Math.sqrt(share) * 100}%` } }),
  element('span', { class: 'visually-hidden' },
    words('clause_share', { percent: percent(share) }))) : null);
}

function render(focusIndex = null) {
  const place = find('#clause-tree');
  if (clauses.length === 0) {
    replaceChildren(place, element('p', { class: 'note' }, words('no_clauses')));
    return;
  }
  shown = visibleIndices();
  const stop = shown.includes(chosen) ? chosen : shown[0];
  replaceChildren(place, element('ul', { role: 'tree', class: 'tree',
    'aria-label': words('clauses') },
  shown.map((i) => row(i, i === stop))));
  if (focusIndex !== null) focusOn(focusIndex);
}

function focusOn(i) {
  const item = find(`#clause-${i}`);
  if (!item) return;
  for (const other of find('#clause-tree').querySelectorAll('[tabindex="0"]')) {
    other.tabIndex = -1;
  }
  item.tabIndex = 0;
  item.focus();
}

function setOpen(i, isOpen, focus) {
  if (isOpen) opened.add(i);
  else opened.delete(i);
  render(focus);
}

function choose(i) {
  tell('clause', { index: i });
}

function reveal(i) {
  for (let at = clauses[i].parent; at >= 0; at = clauses[at].parent) opened.add(at);
}

function keyDown(event) {
  const item = event.target.closest('[role=treeitem]');
  if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
  const i = Number(item.dataset.index);
  const at = shown.indexOf(i);
  const isParent = children[i].length > 0 && !filter;
  const moves = {
    ArrowDown: () => focusOn(shown[at + 1]),
    ArrowUp: () => focusOn(shown[at - 1]),
    Home: () => focusOn(shown[0]),
    End: () => focusOn(shown[shown.length - 1]),
    ArrowRight: () => {
      if (isParent && !opened.has(i)) setOpen(i, true, i);
      else if (isParent) focusOn(children[i][0]);
    },
    ArrowLeft: () => {
      if (isParent && opened.has(i)) setOpen(i, false, i);
      else if (clauses[i].parent >= 0) focusOn(clauses[i].parent);
    },
    Enter: () => choose(i),
    ' ': () => choose(i),
  };
  if (!(event.key in moves)) return;
  event.preventDefault();
  moves[event.key]();
}

function click(event) {
  const item = event.target.closest('[role=treeitem]');
  if (!item) return;
  const i = Number(item.dataset.index);
  if (event.target.closest('.clause-twist')) setOpen(i, !opened.has(i), i);
  else choose(i);
}

function showDocument({ document: open }) {
  find('#clauses').hidden = !open;
  clauses = open?.clauses ?? [];
  children = childrenOf(clauses);
  opened = new Set(clauses.length <= kFewClauses ? clauses.keys() : []);
  chosen = -1;
  inView = -1;
  filter = '';
  shares = new Map();
  find('#clause-filter').value = '';
  render();
}

function showChosen({ index }) {
  chosen = index;
  if (index >= 0) reveal(index);
  const hadFocus = find('#clause-tree').contains(document.activeElement);
  render(hadFocus && index >= 0 ? index : null);
  // Once the card of the clause has taken its place.
  requestAnimationFrame(() => find(`#clause-${index}`)?.scrollIntoView({ block: 'nearest' }));
}

// The row of the clause that is read now, or of the nearest of its parents that is open.
function showInView({ index }) {
  let at = index;
  while (at >= 0 && !shown.includes(at)) at = clauses[at].parent;
  if (at === inView) return;
  const before = find(`#clause-${inView}`);
  if (before) before.dataset.inView = 'no';
  inView = at;
  const now = find(`#clause-${at}`);
  if (now) {
    now.dataset.inView = 'yes';
    if (!find('#clauses').contains(document.activeElement)) {
      now.scrollIntoView({ block: 'nearest' });
    }
  }
}

export function showShares(map) {
  shares = map;
  const most = [...map.keys()].sort((a, b) => map.get(b) - map.get(a)).slice(0, kRevealed);
  for (const i of most) reveal(i);
  render();
  find(`#clause-${most[0]}`)?.scrollIntoView({ block: 'center' });
}

export function startClauseTree() {
  const place = find('#clause-tree');
  place.addEventListener('keydown', keyDown);
  place.addEventListener('click', click);
  find('#clause-filter').addEventListener('input', (event) => {
    filter = event.target.value.trim().toLowerCase();
    render();
    if (filter) announce(words('clauses_found', { count: number(shown.length) }));
    else showChosen({ index: chosen });
  });
  listen('opened', showDocument);
  listen('clause', showChosen);
  listen('clause-in-view', showInView);
  listen('openings', () => render());
  listen('language', () => render());
}
