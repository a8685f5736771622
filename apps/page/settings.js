// Language and colours, and what of the question's options is remembered on this machine.

import { element, find, replaceChildren } from './dom.js';
import { fillWords, language, languages, setLanguage, words } from './i18n.js';
import { listen, tell } from './events.js';

const kThemes = ['system', 'light', 'dark'];
const kThemeName = 'whereof-theme';
const kOptionsName = 'whereof-options';

function theme() {
  const kept = localStorage.getItem(kThemeName);
  return kThemes.includes(kept) ? kept : 'system';
}

function applyTheme() {
  document.documentElement.dataset.theme = theme();
}

function optionsOf(select, entries, chosen) {
  replaceChildren(select, entries.map(([value, name, lang]) => element(
    'option', { value, lang, selected: value === chosen }, name)));
}

function fillSelects() {
  optionsOf(find('#language'), languages().map(({ code, name }) => [code, name,
    code === 'zh' ? 'zh-CN' : code]), language());
  optionsOf(find('#theme'), kThemes.map((name) => [name, words(`theme_${name}`)]), theme());
}

export function startSettings() {
  applyTheme();
  fillWords();
  fillSelects();
  find('#language').addEventListener('change', (event) => setLanguage(event.target.value));
  find('#theme').addEventListener('change', (event) => {
    localStorage.setItem(kThemeName, event.target.value);
    applyTheme();
    tell('theme');
  });
  listen('language', fillSelects);
}

export function keptOptions() {
  try {
    const kept = JSON.parse(localStorage.getItem(kOptionsName));
    return kept && typeof kept === 'object' ? kept : {};
  } catch {
    return {};
  }
}

export function keepOptions(options) {
  localStorage.setItem(kOptionsName, JSON.stringify(options));
}
