// The few pictures of the page, drawn as strokes on a 16 by 16 field. All stand beside or inside
// something that has a name, so they are hidden from screen readers.

import { svgElement } from './dom.js';

const kPaths = {
  supported: ['M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13z', 'M5 8.2l2.1 2.1l4-4.4'],
  weak: ['M8 1.8l6.6 11.9H1.4z', 'M8 6.2v3.6', 'M8 11.6v.2'],
  no_basis: ['M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13z', 'M3.5 3.5l9 9'],
  running: ['M8 1.5a6.5 6.5 0 1 1-6.5 6.5', 'M8 4.5v3.7l2.4 1.4'],
  alarm: ['M8 1.8l6.6 11.9H1.4z', 'M8 6.2v3.6', 'M8 11.6v.2'],
  upload: ['M8 10.5v-8', 'M4.8 5.5L8 2.3l3.2 3.2', 'M2.5 10.5v3h11v-3'],
  document: ['M3.5 1.5h6l3 3v10h-9z', 'M9.5 1.5v3h3', 'M5.5 8h5', 'M5.5 11h5'],
  remove: ['M4 4l8 8', 'M12 4l-8 8'],
  plus: ['M8 3v10', 'M3 8h10'],
  minus: ['M3 8h10'],
  expand: ['M6 3l5 5l-5 5'],
  list: ['M2.5 4h11', 'M2.5 8h11', 'M2.5 12h7'],
  keyboard: ['M1.5 4h13v8h-13z', 'M4 6.5h.1', 'M6.6 6.5h.1', 'M9.2 6.5h.1', 'M11.8 6.5h.1',
    'M5 9.6h6'],
  enlarge: ['M9.5 2.5h4v4', 'M13.5 2.5l-5 5', 'M6.5 13.5h-4v-4', 'M2.5 13.5l5-5'],
  send: ['M8 13.5v-11', 'M3.8 6.7L8 2.5l4.2 4.2'],
  stop: ['M4 4h8v8H4z'],
  hide: ['M1.5 8s2.4-4.3 6.5-4.3S14.5 8 14.5 8s-2.4 4.3-6.5 4.3S1.5 8 1.5 8z', 'M2.5 13.5l11-11'],
  why: ['M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13z',
    'M6.2 6.2a1.9 1.9 0 1 1 2.6 1.9c-.6.3-.8.6-.8 1.3', 'M8 11.4v.2'],
  conversation: ['M2 3h12v8H8l-3.5 3v-3H2z'],
};

export function icon(name, size = 16) {
  return svgElement('svg', {
    class: `icon icon-${name}`, viewBox: '0 0 16 16', width: size, height: size,
    'aria-hidden': 'true', focusable: 'false',
  }, kPaths[name].map((path) => svgElement('path', { d: path })));
}
