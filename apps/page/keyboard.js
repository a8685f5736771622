// Shortcuts. None is a bare letter, so none gets in the way of typing or of a screen reader.

import { element, find, iconButton } from './dom.js';
import { icon } from './icons.js';
import { openDialog } from './dialogs.js';
import { moveCitation, stopRunning } from './conversation.js';
import { movePage } from './document_view.js';
import { listen, tell } from './events.js';
import { words } from './i18n.js';

const kPanes = ['documents', 'document', 'conversation'];

function nextPane(step) {
  const at = kPanes.findIndex((name) => find(`#pane-${name}`).contains(document.activeElement));
  const name = kPanes[(at + step + kPanes.length) % kPanes.length];
  tell('pane', { name });
  find(`#pane-${name}`).focus();
}

function goToQuestion() {
  tell('pane', { name: 'conversation' });
  find('#question').focus();
}

const kShortcuts = [
  { keys: ['Ctrl K', '⌘ K'], words: 'shortcut_question' },
  { keys: ['F6', 'Shift F6'], words: 'shortcut_next_pane' },
  { keys: ['Alt ↓', 'Alt ↑'], words: 'shortcut_citation' },
  { keys: ['Alt Page Down', 'Alt Page Up'], words: 'shortcut_pages' },
  { keys: ['↑ ↓ ← →'], words: 'shortcut_tree' },
  { keys: ['Enter'], words: 'shortcut_open' },
  { keys: ['Esc'], words: 'shortcut_stop' },
  { keys: ['F1'], words: 'shortcut_help' },
];

function showShortcuts() {
  if (find('dialog[open]')) return;
  openDialog(words('shortcuts'), { class: 'dialog-small' }, element('dl', { class: 'shortcuts' },
    kShortcuts.map((shortcut) => [
      element('dt', {}, shortcut.keys.map((key) => element('kbd', {}, key))),
      element('dd', {}, words(shortcut.words))])));
}

function keyDown(event) {
  const { key } = event;
  const isControl = event.ctrlKey || event.metaKey;
  const actions = [
    [isControl && !event.altKey && key.toLowerCase() === 'k', goToQuestion],
    [key === 'F6', () => nextPane(event.shiftKey ? -1 : 1)],
    [event.altKey && key === 'ArrowDown', () => moveCitation(1)],
    [event.altKey && key === 'ArrowUp', () => moveCitation(-1)],
    [event.altKey && key === 'PageDown', () => movePage(1)],
    [event.altKey && key === 'PageUp', () => movePage(-1)],
    [key === 'F1', showShortcuts],
    [key === 'Escape' && !find('dialog[open]'), stopRunning],
  ];
  const found = actions.find(([isIt]) => isIt);
  if (!found) return;
  if (key !== 'Escape') event.preventDefault();
  found[1]();
}

export function startKeyboard() {
  addEventListener('keydown', keyDown);
  const place = () => find('#shortcuts-place').replaceChildren(
    iconButton(words('shortcuts'), icon('keyboard'), { on: { click: showShortcuts } }));
  place();
  listen('language', place);
}
