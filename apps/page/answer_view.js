// A judged answer: the verdict first, then the sentences with their citations, the passages they
// were read from, and what was measured.

import { button, disclosure, element, announce } from './dom.js';
import { citationItem, citationMark, numberedCitations } from './citations.js';
import { diagnosisView } from './diagnosis_view.js';
import { exportAnswer } from './export.js';
import { heatMapView } from './heat_map.js';
import { icon } from './icons.js';
import { layersView } from './layer_plots.js';
import { number, words } from './i18n.js';
import { ByteText } from './places.js';
import { planView } from './plan_view.js';

function signalRow(signal) {
  const figure = (value) => number(value, Math.abs(value) >= 100 ? 0 : 3);
  return element('tr', {},
    element('th', { scope: 'row' }, signal.name.replaceAll('_', ' ')),
    element('td', {}, figure(signal.value)),
    element('td', {}, signal.threshold === null ? '' : figure(signal.threshold)),
    element('td', {}, signal.allows ? words(`verdict_${signal.allows}`)
      : words('part_of_probability')));
}

function reasons(answer) {
  return disclosure(words('reasons'), { class: 'reasons' },
    element('ul', {}, answer.reasons.map((reason) => element('li', { dir: 'auto' }, reason))),
    answer.verdict_signals.length === 0 ? null
      : disclosure(words('reasons_signals'), {},
        element('div', { class: 'table-scroll', tabindex: '0', role: 'group',
          'aria-label': words('reasons_signals') },
        element('table', { class: 'signals' },
          element('thead', {}, element('tr', {},
            ['signal', 'value', 'threshold', 'allows'].map((key) => element('th', { scope: 'col' },
              words(key))))),
          element('tbody', {}, answer.verdict_signals.map(signalRow))))));
}

function verdictLine(turn) {
  const { verdict } = turn.answer;
  return element('p', { class: `verdict verdict-${verdict}` }, icon(verdict, 20),
    element('strong', {}, turn.verdictWords()));
}

// The sentences of an answer; what lies between them (blanks, line ends) stays as it is.
function sentences(text, answer, citations, turn) {
  const bytes = new ByteText(text);
  const parts = [];
  let at = 0;
  answer.sentences.forEach((sentence, i) => {
    parts.push(bytes.slice(at, sentence.answer_begin));
    parts.push(element('span', { class: 'sentence', data: { sentence: i } },
      bytes.slice(sentence.answer_begin, sentence.answer_end),
      citations.marks[i].length === 0 ? null : [' ', citations.marks[i].map(
        (place) => citationMark(citations.list[place], place, turn))]));
    at = sentence.answer_end;
  });
  parts.push(bytes.slice(at, bytes.length));
  return element('div', { class: 'answer-text', dir: 'auto', lang: answer.language }, parts);
}

function citationList(citations, answer, turn) {
  if (citations.list.length === 0) return null;
  const title = answer.verdict === 'no_basis' ? words('nearest') : words('read_from');
  return element('div', { class: 'citations', role: 'group', 'aria-label': title },
    element('h4', {}, title),
    element('ol', {}, citations.list.map((citation, i) => citationItem(citation, i, turn,
      i < citations.ofAnswer))));
}

function alarms(answer) {
  if (answer.alarms.length === 0) return null;
  return element('div', { class: 'alarms', role: 'group', 'aria-label': words('alarms') },
    element('h4', {}, icon('alarm'), words('alarms')),
    element('ul', {}, answer.alarms.map((alarm) => element('li', { dir: 'auto' }, alarm.text))));
}

// Made when it is first opened: a heat map of hundreds of clauses costs nothing before.
function lazyDisclosure(summary, make) {
  const details = disclosure(summary, { class: 'measured' });
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(make());
  });
  return details;
}

function exports(turn) {
  const save = (format) => button(words(`export_${format}`), {
    class: 'button button-quiet', on: { click: () => exportAnswer(turn, format) },
  });
  return element('div', { class: 'exports', role: 'group', 'aria-label': words('export') },
    element('span', { class: 'note' }, words('export')), save('markdown'), save('json'),
    save('html'),
    button(words('copy'), { class: 'button button-quiet', on: { click: () => copy(turn) } }));
}

async function copy(turn) {
  try {
    await navigator.clipboard.writeText(turn.answer.answer ?? turn.answer.withheld ?? '');
    announce(words('copied'));
  } catch (error) {
    announce(words('failed', { reason: error.message }));
  }
}

export function answerView(turn) {
  const { answer } = turn;
  const citations = numberedCitations(answer);
  const isWithheld = answer.verdict === 'no_basis';
  const text = answer.answer ?? answer.withheld;
  const said = text ? sentences(text, answer, citations, turn) : null;
  return [
    diagnosisView(answer),
    verdictLine(turn),
    reasons(answer),
    isWithheld ? null : said,
    answer.is_truncated ? element('p', { class: 'note' }, words('truncated')) : null,
    answer.outdated?.length > 0
      ? element('p', { class: 'note' }, words('outdated', { names: answer.outdated.join(', ') }))
      : null,
    citationList(citations, answer, turn),
    isWithheld && said ? disclosure(words('withheld'), { class: 'withheld' }, said) : null,
    alarms(answer),
    lazyDisclosure(words('heat_map'), () => heatMapView(turn)),
    lazyDisclosure(words('layers'), () => layersView(answer)),
    lazyDisclosure(words('plan'), () => planView(answer)),
    exports(turn),
  ].filter(Boolean);
}
