// Windows over the page: <dialog> keeps the focus inside and gives it back.

import { button, element, iconButton } from './dom.js';
import { icon } from './icons.js';
import { words } from './i18n.js';

export function openDialog(title, properties, ...children) {
  const heading = element('h2', { id: 'dialog-title' }, title);
  const dialog = element('dialog', { 'aria-labelledby': 'dialog-title', ...properties },
    element('div', { class: 'dialog-top' }, heading,
      iconButton(words('close'), icon('remove'), { on: { click: () => dialog.close() } })),
    ...children);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function confirmDialog(question, action) {
  return new Promise((resolve) => {
    const dialog = openDialog(question, { class: 'dialog-small' });
    const answer = (value) => () => { dialog.returnValue = value; dialog.close(value); };
    dialog.append(element('div', { class: 'dialog-buttons' },
      button(words('cancel'), { class: 'button button-quiet', on: { click: answer('') } }),
      button(action, { class: 'button', on: { click: answer('yes') } })));
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'));
  });
}

export function keyDialog(wasWrong) {
  return new Promise((resolve) => {
    const field = element('input', { type: 'password', id: 'key', autocomplete: 'off',
      required: true });
    const form = element('form', { method: 'dialog', class: 'key-form' },
      element('p', {}, words('key_text')),
      wasWrong ? element('p', { class: 'failure', role: 'alert' }, words('key_wrong')) : null,
      element('label', { for: 'key' }, words('key')), field,
      element('div', { class: 'dialog-buttons' },
        element('button', { class: 'button', value: 'yes' }, words('key_enter'))));
    const dialog = openDialog(words('key_title'), { class: 'dialog-small' }, form);
    dialog.addEventListener('close', () => {
      resolve(dialog.returnValue === 'yes' && field.value ? field.value : null);
    });
    field.focus();
  });
}
