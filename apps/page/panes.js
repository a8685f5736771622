// On a narrow screen one of the three parts is shown at a time; these are the buttons for it.

import { button, element, find, replaceChildren } from './dom.js';
import { listen } from './events.js';
import { icon } from './icons.js';
import { words } from './i18n.js';

const kPanes = [['documents', 'list'], ['document', 'document'],
  ['conversation', 'conversation']];

function show(name) {
  document.body.dataset.pane = name;
  for (const one of find('#tabs').querySelectorAll('button')) {
    one.setAttribute('aria-pressed', String(one.dataset.name === name));
  }
}

function render() {
  replaceChildren(find('#tabs'), kPanes.map(([name, picture]) => button(
    element('span', {}, words(`pane_${name}`)), {
      class: 'tab', data: { name }, 'aria-pressed': String(document.body.dataset.pane === name),
      on: { click: () => show(name) },
    }, icon(picture, 18))));
}

export function startPanes() {
  render();
  listen('pane', ({ name }) => show(name));
  listen('language', render);
}
