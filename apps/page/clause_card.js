// What is known of the chosen clause: where its references lead, who refers to it, what it defines;
// and the two questions about it.

import * as api from './api.js';
import { button, disclosure, element, find, iconButton, replaceChildren } from './dom.js';
import { listen, tell } from './events.js';
import { icon } from './icons.js';
import { words } from './i18n.js';
import { clauseName } from './places.js';

const kMostLinks = 12;

let current = null;      // the open document
let links = null;        // {references, definitions} of it; null until they are here
let loading = null;      // AbortController
let chosen = -1;
let hasQuestion = false;

// The name by which the service's reports call a clause.
function reportName(clause) {
  if (clause.kind === 'preamble' || clause.kind === 'closing') return clause.kind;
  return clause.label;
}

async function loadLinks(open) {
  loading?.abort();
  loading = new AbortController();
  const { signal } = loading;
  try {
    const [references, definitions] = await Promise.all([
      api.referencesOf(open.id, signal), api.definitionsOf(open.id, signal)]);
    if (current !== open) return;
    links = { references: references.references, definitions: definitions.definitions };
    render();
  } catch { /* the card then shows the clause without its links */ }
}

function clauseLink(index) {
  const clause = current.clauses[index];
  return button(clauseName(clause, words), {
    class: 'link', title: clause.heading || clause.opening || undefined,
    on: { click: () => tell('clause', { index }) },
  });
}

function row(title, items) {
  if (items.length === 0) return null;
  const extra = items.length - kMostLinks;
  return [element('dt', {}, title),
    element('dd', {}, items.slice(0, kMostLinks).map((item) => element('span',
      { class: 'card-link' }, item)),
    extra > 0 ? element('span', { class: 'note' }, words('and_more', { count: extra })) : null)];
}

// Where the references in a clause lead, each place once.
function referenceItems(index) {
  const items = new Map();
  for (const reference of links.references.filter((one) => one.clause_index === index)) {
    for (const target of reference.target_indices) items.set(target, clauseLink(target));
    for (const missing of reference.missing) {
      items.set(missing, element('span', { class: 'card-missing' },
        `${missing} (${words('leads_nowhere')})`));
    }
    if (reference.kind === 'external') {
      items.set(reference.text, `${reference.text} (${words('of_other_document')})`);
    }
  }
  return [...items.values()];
}

function linkRows(index) {
  if (!links) return [];
  const name = reportName(current.clauses[index]);
  const referring = new Set(links.references.filter((one) => one.target_indices.includes(index))
    .map((one) => one.clause_index).filter((one) => one >= 0 && one !== index));
  const defined = links.definitions.filter((one) => one.clause === name);
  const used = links.definitions.filter((one) => one.clause !== name
    && one.uses.some((use) => use.clause === name));
  return [
    row(words('refers_to'), referenceItems(index)),
    row(words('referred_by'), [...referring].map(clauseLink)),
    row(words('defines'), defined.map((one) => button(one.term, {
      class: 'link', on: { click: () => showSpan(one.text_begin, one.text_end) },
    }))),
    row(words('uses_terms'), used.map((one) => button(one.term, {
      class: 'link', title: one.text, on: { click: () => showSpan(one.text_begin, one.text_end) },
    }))),
  ].filter(Boolean);
}

function showSpan(begin, end) {
  tell('place', { id: current.id, begin, end, kind: 'clause' });
}

function actions(clause) {
  const off = hasQuestion ? {} : { disabled: true, 'aria-describedby': 'ask-first' };
  return element('div', { class: 'card-actions' },
    button(words('why_not'), { class: 'button button-quiet', title: words('why_not_hint'), ...off,
      on: { click: () => tell('why', { label: reportName(clause) }) } }, icon('why')),
    button(words('hide_and_ask'), { class: 'button button-quiet', title: words('hide_hint'), ...off,
      on: { click: () => tell('hide', { label: reportName(clause) }) } }, icon('hide')),
    hasQuestion ? null : element('span', { class: 'note', id: 'ask-first' }, words('ask_first')));
}

function pageLine(clause) {
  const page = current.pages[clause.first_page - 1];
  if (!page || !(page.width > 0)) return null;
  return element('span', { class: 'note' }, words('on_page', { label: page.label }));
}

function render() {
  const card = find('#clause-card');
  card.hidden = !current || chosen < 0;
  if (card.hidden) return;
  const clause = current.clauses[chosen];
  const rows = linkRows(chosen);
  replaceChildren(card,
    element('div', { class: 'card-top' },
      element('h3', {}, element('span', { class: 'clause-number' }, clauseName(clause, words)), ' ',
        element('span', { dir: 'auto' }, clause.heading)),
      pageLine(clause),
      iconButton(words('close'), icon('remove'), {
        on: { click: () => tell('clause', { index: -1 }) },
      })),
    clause.opening ? element('p', { class: 'card-opening', dir: 'auto' }, clause.opening) : null,
    rows.length > 0
      ? disclosure(words('links'), { class: 'card-links', open: true }, element('dl', {}, rows))
      : null,
    clause.kind === 'closing' ? null : actions(clause));
}

export function startClauseCard() {
  listen('opened', ({ document: open }) => {
    current = open;
    links = null;
    chosen = -1;
    render();
    if (open) loadLinks(open);
  });
  listen('clause', ({ index }) => { chosen = index; render(); });
  listen('questions', ({ count }) => { hasQuestion = count > 0; render(); });
  listen('openings', render);
  listen('language', render);
}
