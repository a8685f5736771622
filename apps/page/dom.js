// Elements are made one by one. Text of documents and models only ever becomes text nodes, and no
// property given here is read as markup or as a script.

const kSvg = 'http://www.w3.org/2000/svg';

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'on') {
      for (const [kind, listener] of Object.entries(value)) node.addEventListener(kind, listener);
    } else if (name === 'data') {
      Object.assign(node.dataset, value);
    } else if (name === 'style') {
      for (const [key, text] of Object.entries(value)) node.style.setProperty(key, text);
    } else {
      node.setAttribute(name, value === true ? '' : String(value));
    }
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined
    && child !== false));
  return node;
}

// element('p', {class: 'note', on: {click}}, 'text', otherElement)
export function element(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

export function svgElement(tag, properties = {}, ...children) {
  return fill(document.createElementNS(kSvg, tag), properties, children);
}

export function replaceChildren(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child !== null
    && child !== undefined && child !== false));
  return node;
}

export const find = (selector) => document.querySelector(selector);

export function button(label, properties = {}, ...before) {
  return element('button', { type: 'button', ...properties }, ...before, label);
}

// A button that shows a picture only: its name is read out and shown when the pointer rests on it.
export function iconButton(name, picture, properties = {}) {
  return element('button', {
    type: 'button', 'aria-label': name, title: name, ...properties,
    class: `icon-button ${properties.class ?? ''}`,
  }, picture);
}

export function disclosure(summary, properties, ...children) {
  return element('details', properties, element('summary', {}, summary), ...children);
}

// The live region reads out what changed away from the focus.
export function announce(text) {
  const region = find('#announcements');
  region.textContent = '';
  requestAnimationFrame(() => { region.textContent = text; });
}
