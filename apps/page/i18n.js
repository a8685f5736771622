// Words in the reader's language: the one chosen here before, else the browser's.

import { tell } from './events.js';
import { kChinese } from './words_zh.js';
import { kEnglish } from './words_en.js';

const kLanguages = { en: kEnglish, zh: kChinese };
const kName = 'whereof-language';

function preferred() {
  const kept = localStorage.getItem(kName);
  if (kept in kLanguages) return kept;
  const wanted = (navigator.languages ?? [navigator.language]).map((name) => name.slice(0, 2));
  return wanted.find((name) => name in kLanguages) ?? 'en';
}

let current = preferred();

export const languages = () => Object.entries(kLanguages)
  .map(([code, list]) => ({ code, name: list.language_name }));
export const language = () => current;

export function words(key, values = {}) {
  const text = kLanguages[current][key];
  if (text === undefined) throw new Error(`no words for ${key}`);
  return text.replace(/\{(\w+)\}/g,
    (whole, name) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}

export function number(value, digits = 0) {
  return value.toLocaleString(current === 'zh' ? 'zh-CN' : 'en-GB', {
    minimumFractionDigits: digits, maximumFractionDigits: digits,
  });
}

// A share as a percentage; small ones keep a digit, so that they are not all 0.
export function percent(share) {
  const value = share * 100;
  return number(value, value > 0 && value < 9.95 ? 1 : 0);
}

// Fills what index.html only names: data-words the text, data-label the accessible name,
// data-place the placeholder.
export function fillWords(root = document) {
  document.documentElement.lang = current === 'zh' ? 'zh-CN' : 'en';
  document.title = words('page_title');
  for (const node of root.querySelectorAll('[data-words]')) {
    node.textContent = words(node.dataset.words);
  }
  for (const node of root.querySelectorAll('[data-label]')) {
    node.setAttribute('aria-label', words(node.dataset.label));
  }
  for (const node of root.querySelectorAll('[data-place]')) {
    node.placeholder = words(node.dataset.place);
  }
}

export function setLanguage(code) {
  current = code;
  localStorage.setItem(kName, code);
  fillWords();
  tell('language');
}
