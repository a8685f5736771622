// The middle of the page: the open document as pages or as text, and its bar.

import * as api from './api.js';
import { announce, button, element, find, iconButton, replaceChildren } from './dom.js';
import { listen, tell } from './events.js';
import { icon } from './icons.js';
import { fileById } from './library.js';
import { words } from './i18n.js';
import { openingOf } from './places.js';
import { PagePictures, fetchFirst, hasSheet } from './page_pictures.js';
import { TextFlow } from './text_flow.js';

const kMostCharacters = 1_000_000;  // of a text that is fetched for the first words of clauses
const kZooms = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3];

let current = null;  // the open document
let loading = null;  // AbortController of what is being opened
let view = null;     // PagePictures or TextFlow
let mode = 'pages';
let text = null;     // promise of its bytes, once asked for
let zoom = kZooms.indexOf(1);
let page = 0;

const hasPages = () => current.pages.length > 0 && current.pages.every(hasSheet);

function bar() {
  if (!current) return [];
  return [
    element('h2', { class: 'document-name', dir: 'auto' }, current.name),
    hasPages() ? modeSwitch() : null,
    mode === 'pages' ? pageField() : null,
    mode === 'pages' ? element('div', { class: 'zoom', role: 'group' },
      iconButton(words('zoom_out'), icon('minus'),
        { disabled: zoom === 0, on: { click: () => zoomTo(zoom - 1) } }),
      iconButton(words('zoom_in'), icon('plus'),
        { disabled: zoom === kZooms.length - 1, on: { click: () => zoomTo(zoom + 1) } })) : null,
  ];
}

function modeSwitch() {
  const choice = (name) => button(words(`view_${name}`), {
    'aria-pressed': String(mode === name), on: { click: () => setMode(name) },
  });
  return element('div', { class: 'switch', role: 'group', 'aria-label': words('view_as') },
    choice('pages'), choice('text'));
}

function pageField() {
  const field = element('input', {
    id: 'page-field', inputmode: 'numeric', 'aria-label': words('go_to_page'), size: 4,
    value: current.pages[page]?.label ?? '',
    on: { change: () => goToLabel(field.value.trim()) },
  });
  return element('div', { class: 'page-field' }, field,
    element('span', {}, words('of_pages', { count: current.pages.length })));
}

function goToLabel(label) {
  const byLabel = current.pages.findIndex((one) => one.label === label);
  const index = byLabel >= 0 ? byLabel : Number.parseInt(label, 10) - 1;
  if (current.pages[index]) view.goTo(index);
  else renderBar();
}

function renderBar() {
  replaceChildren(find('#document-bar'), bar());
}

function zoomTo(index) {
  zoom = index;
  view.setZoom(kZooms[zoom]);
  renderBar();
}

function innermostClause(begin) {
  let found = -1;
  current.clauses.forEach((clause, i) => {
    if (clause.text_begin <= begin && begin < clause.text_end) found = i;
  });
  return found;
}

function pageShown(index) {
  page = index;
  const field = find('#page-field');
  if (field && document.activeElement !== field) field.value = current.pages[index].label;
  const at = innermostClause(current.pages[index].text_begin);
  const first = current.clauses.findIndex((clause) => clause.first_page === index + 1);
  tell('clause-in-view', { index: at >= 0 ? at : first });
}

function note(...children) {
  replaceChildren(find('#document-view'), element('div', { class: 'document-note' }, ...children));
}

// Nothing open: the place to begin.
function showStart() {
  replaceChildren(find('#document-bar'));
  note(icon('upload', 40), element('p', { class: 'document-note-title' }, words('drop_here')),
    element('label', { class: 'button', for: 'upload' }, words('add_documents')),
    element('p', { class: 'note' }, words('file_types')));
}

// Asked for once; again if it failed.
function textOfDocument() {
  text ??= api.textOf(current.id, undefined, undefined, loading.signal).catch((error) => {
    text = null;
    throw error;
  });
  return text;
}

// Clauses without a heading are known by their first words.
async function findOpenings() {
  const open = current;
  if (open.characters > kMostCharacters || open.clauses.every((one) => one.heading)) return;
  try {
    const bytes = await textOfDocument();
    for (const clause of open.clauses) clause.opening = openingOf(bytes, clause);
    if (current === open) tell('openings');
  } catch { /* the tree then shows numbers alone */ }
}

async function build(first = null) {
  view?.close();
  view = null;
  if (mode === 'pages') {
    view = new PagePictures(find('#document-view'), current, pageShown, first);
    view.setZoom(kZooms[zoom]);
    return;
  }
  const open = current;
  note(words('opening'));
  const bytes = await textOfDocument();
  if (current !== open) return;
  view = new TextFlow(find('#document-view'), bytes,
    (begin) => tell('clause-in-view', { index: innermostClause(begin) }));
}

async function setMode(name) {
  const at = page;
  const hadFocus = find('#document-bar').contains(document.activeElement);
  mode = name;
  renderBar();
  try {
    await build();
  } catch (error) {
    if (error.name !== 'AbortError') note(element('p', { role: 'alert' }, error.message));
    return;
  }
  if (hadFocus) find('#document-bar [aria-pressed=true]').focus();
  if (name === 'pages') view.goTo(at);
  else if (current.pages[at]) {
    const begin = current.pages[at].text_begin;
    view.show(view.blocks[view.blockOf(begin)]);
  }
}

let opening = Promise.resolve();

async function openDocument(id) {
  loading?.abort();
  loading = new AbortController();
  const { signal } = loading;
  if (!current) note(words('opening'));
  const first = fileById(id)?.whereof?.pages > 0
    ? fetchFirst(id, find('#document-view'), kZooms[zoom], signal) : null;
  try {
    const open = await api.documentOf(id, signal);
    if (signal.aborted) return;
    current = { ...open, id, name: open.name ?? fileById(id)?.filename ?? '' };
    text = null;
    page = 0;
    mode = hasPages() ? 'pages' : 'text';
    await build(first);
    renderBar();
    tell('opened', { document: current });
    if (mode === 'pages') pageShown(0);
    findOpenings();
  } catch (error) {
    if (error.name === 'AbortError') return;
    if (view) announce(error.message);  // what is open stays
    else note(element('p', { class: 'failure', role: 'alert' }, error.message));
  }
}

// Opens the document if another one is shown, then marks the passage.
async function showPlace({ id, begin, end, boxes, kind }) {
  tell('pane', { name: 'document' });
  if (id && id !== current?.id) {
    opening = openDocument(id);
  }
  await opening;
  if (!current || (id && current.id !== id) || !view) return;
  if (mode === 'text') {
    if (view.mark(begin, end, kind)) announce(words('marked_in_text'));
    return;
  }
  const open = view;
  try {
    const places = boxes?.length > 0 ? boxes : await api.boxesOf(current.id, begin, end);
    if (view !== open) return;
    const label = view.mark(places, kind);
    if (label === null) await setMode('text').then(() => view?.mark(begin, end, kind));
    else announce(words('marked_on_page', { label }));
  } catch (error) {
    if (error.name !== 'AbortError') announce(error.message);
  }
}

export function movePage(step) {
  if (!current || mode !== 'pages' || !view) return;
  view.goTo(Math.min(Math.max(page + step, 0), current.pages.length - 1));
}

export const openDocumentNow = () => current;

export function startDocumentView() {
  showStart();
  listen('open', ({ id }) => { opening = openDocument(id); });
  listen('opened', ({ document: open }) => {
    if (open) return;
    view?.close();
    view = null;
    current = null;
    showStart();
  });
  listen('place', showPlace);
  listen('clause', ({ index }) => {
    const clause = current?.clauses[index];
    if (!clause) return;
    showPlace({ begin: clause.text_begin, end: clause.own_text_end, kind: 'clause' });
  });
  listen('language', () => {
    if (!current) return showStart();
    renderBar();
    if (mode === 'pages') view?.nameSheets();
    return undefined;
  });
}
