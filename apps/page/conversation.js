// The right part of the page: the questions and answers, and the form for the next question.

import * as api from './api.js';
import { announce, button, disclosure, element, find, replaceChildren } from './dom.js';
import { openDocumentNow } from './document_view.js';
import { listen, tell } from './events.js';
import { icon } from './icons.js';
import { openFile, readableFiles } from './library.js';
import { keepOptions, keptOptions } from './settings.js';
import { showShares } from './clause_tree.js';
import { Turn } from './turn.js';
import { words } from './i18n.js';

const kLeastShare = 0.02;  // of the evidence, for a clause to carry a bar in the tree

const turns = [];
let models = null;       // null: not yet known
let options = { budget: 60, quote: false, verify: false, scope: 'this', ...keptOptions() };

const runningTurn = () => turns.find((turn) => turn.state === 'running');
export const latestTurn = () => turns.at(-1);

function showNotice(text) {
  const notice = find('#ask-notice');
  notice.textContent = text;
  if (text) announce(text);
}

function verdictLegend() {
  return element('dl', { class: 'verdict-legend' },
    ['supported', 'weak', 'no_basis'].map((verdict) => [
      element('dt', { class: `verdict verdict-${verdict}` }, icon(verdict),
        words(`verdict_${verdict}`)),
      element('dd', {}, words(`about_${verdict}`))]));
}

function renderTurns() {
  const place = find('#turns');
  if (turns.length === 0) {
    replaceChildren(place, element('div', { class: 'turns-empty' },
      element('p', {}, words('conversation_empty')), verdictLegend()));
    return;
  }
  replaceChildren(place, turns.map((turn) => turn.place));
}

function scopeName(isAll) {
  if (isAll) return words('asked_all');
  return openFile()?.filename ?? openDocumentNow()?.name ?? '';
}

function start(kind, body, scope) {
  const turn = new Turn(kind, body, scope, (old) => start(old.kind, old.body, old.scope));
  turns.push(turn);
  renderTurns();
  renderButtons();
  tell('questions', { count: turns.length });
  tell('pane', { name: 'conversation' });
  turn.place.scrollIntoView({ block: 'start' });
  turn.run().then(renderButtons);
}

// What every question carries; the document of an earlier one when it is asked again.
function bodyOf(question, extra) {
  const body = { question, budget_seconds: options.budget, ...extra };
  if (options.model && models?.some((model) => model.id === options.model)) {
    body.model = options.model;
  }
  return body;
}

function ask(question) {
  const isAll = options.scope === 'all';
  const open = openDocumentNow();
  if (!question) return showNotice(words('need_question'));
  if (isAll ? readableFiles().length === 0 : !open) return showNotice(words('need_document'));
  showNotice('');
  const body = bodyOf(question, {
    ...(isAll ? { documents: 'all' } : { document: open.id }),
    quote: options.quote, verify: options.verify,
  });
  start('ask', body, scopeName(isAll));
  find('#question').value = '';
  return undefined;
}

// About a clause of the open document; the question is the latest one.
function askAbout(label, makeBody, kind) {
  const open = openDocumentNow();
  const latest = latestTurn();
  if (!open || !latest) return;
  start(kind, bodyOf(latest.question, { document: open.id, ...makeBody(latest) }),
    scopeName(false));
}

function renderButtons() {
  const isRunning = Boolean(runningTurn());
  const send = find('#send');
  if (!send) return;
  replaceChildren(send, icon(isRunning ? 'stop' : 'send'), words(isRunning ? 'stop' : 'ask'));
  send.dataset.state = isRunning ? 'running' : 'ready';
}

function setOption(name, value) {
  options = { ...options, [name]: value };
  keepOptions(options);
}

function checkbox(name, label) {
  return element('label', { class: 'check' }, element('input', {
    type: 'checkbox', checked: options[name],
    on: { change: (event) => setOption(name, event.target.checked) },
  }), words(label));
}

function scopeSwitch() {
  const choice = (value, key) => button(words(key), {
    'aria-pressed': String(options.scope === value),
    on: { click: () => { setOption('scope', value); renderForm(); focusScope(); } },
  });
  return element('div', { class: 'switch', role: 'group', 'aria-label': words('scope'),
    id: 'scope' }, choice('this', 'scope_this'), choice('all', 'scope_all'));
}

function focusScope() { find('#scope [aria-pressed=true]').focus(); }

function modelSelect() {
  if (models?.length === 0) return element('p', { class: 'failure' }, words('no_models'));
  return element('label', {}, words('model'), element('select', {
    id: 'model', on: { change: (event) => setOption('model', event.target.value) },
  }, element('option', { value: '' }, words('model_default')),
  (models ?? []).map((model) => element('option', { value: model.id,
    selected: model.id === options.model }, model.id))));
}

function budgetField() {
  return element('label', {}, words('budget'), element('input', {
    type: 'number', min: 1, max: 600, step: 1, value: options.budget,
    on: { change: (event) => {
      const seconds = Number(event.target.value);
      if (seconds >= 1 && seconds <= 600) setOption('budget', seconds);
      else event.target.value = options.budget;
    } },
  }));
}

function renderForm() {
  const kept = find('#question')?.value ?? '';
  const areOptionsOpen = find('#options')?.open ?? false;
  const field = element('textarea', {
    id: 'question', rows: 2, maxlength: 4000, dir: 'auto', 'aria-label': words('question'),
    placeholder: words(options.scope === 'all' ? 'question_all_place' : 'question_place'),
    on: { keydown: (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      if (!runningTurn()) find('#ask').requestSubmit();
    } },
  });
  field.value = kept;
  replaceChildren(find('#ask'),
    element('div', { class: 'ask-row' }, field,
      element('button', { type: 'submit', class: 'button', id: 'send' })),
    element('p', { class: 'ask-notice', id: 'ask-notice' }),
    element('div', { class: 'ask-options' }, scopeSwitch(),
      disclosure(words('options'), { id: 'options', open: areOptionsOpen },
        element('div', { class: 'options' }, modelSelect(), budgetField(),
          checkbox('quote', 'quote_only'), checkbox('verify', 'verify')))));
  renderButtons();
}

function submit(event) {
  event.preventDefault();
  const running = runningTurn();
  if (running) running.stop();
  else ask(find('#question').value.trim());
}

// The clause tree shows where the evidence of the chosen answer lies.
function showEvidence(turn) {
  const map = turn.answer?.map;
  const open = openDocumentNow();
  if (!map || !open || turn.body.document !== open.id) return;
  const row = map.rows.find((one) => one.name === 'answer') ?? map.rows[0];
  if (!row) return;
  const shares = map.clauses.map((clause, i) => [clause.clause, row.shares[i]])
    .filter(([index, share]) => index >= 0 && share >= kLeastShare);
  showShares(new Map(shares));
}

export function stopRunning() { runningTurn()?.stop(); }

export function moveCitation(step) {
  const all = [...find('#turns').querySelectorAll('.citation-mark, .citation-open')];
  if (all.length === 0) return;
  const at = all.indexOf(document.activeElement);
  const next = all[(at + step + all.length) % all.length] ?? all[0];
  next.focus();
  next.click();
}

export async function startConversation() {
  renderForm();
  renderTurns();
  find('#ask').addEventListener('submit', submit);
  listen('answer', ({ turn }) => { if (turn === latestTurn()) showEvidence(turn); });
  listen('answer-chosen', ({ turn }) => showEvidence(turn));
  listen('why', ({ label }) => askAbout(label, () => ({ clause: label }), 'why'));
  listen('hide', ({ label }) => askAbout(label, (latest) => ({
    hide: [...new Set([...(latest.body.hide ?? []), label])] }), 'ask'));
  listen('language', () => {
    renderForm();
    renderTurns();
    for (const turn of turns) turn.render();
  });
  try {
    models = await api.models();
  } catch (error) {
    showNotice(error.message);
    return;
  }
  renderForm();
}
