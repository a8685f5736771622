// Entropy and sink of each layer as small plots. Layers with an alarm carry a triangle; every point
// can be pointed at or reached by the arrow keys, and tells its figure.

import { element, svgElement } from './dom.js';
import { number, words } from './i18n.js';

const kWidth = 320;
const kHeight = 92;
const kLeft = 20;
const kBottom = 20;
const kTop = 8;

function axisText(x, y, text, anchor) {
  return svgElement('text', { x, y, 'text-anchor': anchor, class: 'plot-text' }, text);
}

function triangle(x, y) {
  return svgElement('path', { class: 'plot-alarm', d: `M${x} ${y - 7}l5 9h-10z` });
}

function plot(name, layers, key, digits, alarmed) {
  const values = layers.map((layer) => layer[key]);
  const high = Math.max(1, ...values);
  const x = (i) => kLeft + (kWidth - kLeft - 8) * (layers.length > 1 ? i / (layers.length - 1) : 0);
  const y = (value) => kTop + (kHeight - kTop - kBottom) * (1 - value / high);
  const read = element('span', { class: 'plot-read', 'aria-hidden': 'true' });
  const tellPoint = (i) => {
    read.textContent = words('point', { layer: layers[i].layer,
      value: number(values[i], digits) });
  };
  const points = layers.map((layer, i) => svgElement('circle', {
    cx: x(i).toFixed(1), cy: y(values[i]).toFixed(1), r: 4, class: 'plot-point', role: 'img',
    tabindex: i === 0 ? 0 : -1, 'data-layer': layer.layer, 'data-value': values[i],
    'aria-label': words('point', { layer: layer.layer, value: number(values[i], digits) }),
    on: { pointerenter: () => tellPoint(i), focus: () => tellPoint(i) },
  }));
  const picture = svgElement('svg', {
    class: 'plot', viewBox: `0 0 ${kWidth} ${kHeight}`, role: 'group',
    'aria-label': words('plot_name', { name, low: number(Math.min(...values), digits),
      high: number(Math.max(...values), digits) }),
    on: { keydown: (event) => walk(event, points) },
  },
  svgElement('path', { class: 'plot-axis',
    d: `M${kLeft} ${kTop}V${kHeight - kBottom}H${kWidth - 8}` }),
  axisText(kLeft - 5, kTop + 5, number(high), 'end'),
  axisText(kLeft - 5, kHeight - kBottom + 1, '0', 'end'),
  axisText(kLeft, kHeight - 5, String(layers[0].layer), 'start'),
  axisText(kWidth - 8, kHeight - 5, String(layers.at(-1).layer), 'end'),
  axisText((kLeft + kWidth) / 2, kHeight - 5, words('layer'), 'middle'),
  svgElement('polyline', { class: 'plot-line',
    points: values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(' ') }),
  layers.map((layer, i) => (alarmed.has(layer.layer) ? triangle(x(i), y(values[i]) - 6) : null))
    .filter(Boolean),
  points);
  return element('figure', { class: 'plot-figure' }, element('figcaption', {}, name, read),
    picture);
}

function walk(event, points) {
  const at = points.indexOf(event.target);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (at < 0 || !step || !points[at + step]) return;
  event.preventDefault();
  points[at].setAttribute('tabindex', '-1');
  points[at + step].setAttribute('tabindex', '0');
  points[at + step].focus();
}

export function layersView(answer) {
  const layers = answer.map?.layers ?? [];
  if (layers.length === 0) return element('p', { class: 'note' }, words('nothing_measured'));
  const ofLayers = answer.alarms.filter((alarm) => alarm.layer !== null);
  const alarmed = new Set(ofLayers.map((alarm) => alarm.layer));
  return element('div', { class: 'layers' },
    element('p', { class: 'note' }, words('layers_about')),
    plot(words('entropy'), layers, 'entropy', 2, alarmed),
    plot(words('sink'), layers, 'sink_mass', 2, alarmed),
    ofLayers.length > 0 ? element('ul', { class: 'alarm-list' }, ofLayers.map((alarm) => element(
      'li', { dir: 'auto' }, alarm.text))) : null);
}
