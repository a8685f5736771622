// Why an answer does or does not rest on a clause: outcome, reasons, advice, and how the model
// looked at it.

import { disclosure, element } from './dom.js';
import { number, percent, words } from './i18n.js';

function rowOf(name, rows, count) {
  return element('tr', {}, element('th', { scope: 'row' }, words(name)),
    element('td', {}, words('share_of_evidence', { percent: percent(rows.share) })),
    element('td', {}, words('lift', { lift: number(rows.lift, 1) })),
    element('td', {}, rows.rank > 0 ? words('rank', { rank: rows.rank, count }) : ''));
}

export function diagnosisView(answer) {
  const { diagnosis } = answer;
  if (!diagnosis) return null;
  const { ablation } = diagnosis;
  const outcome = words(`diagnosis_${diagnosis.outcome}`);
  return element('div', { class: `diagnosis diagnosis-${diagnosis.outcome}`, role: 'group',
    'aria-label': words('asked_why', { label: diagnosis.expected }) },
  element('h4', { dir: 'auto' }, words('diagnosis_of', { outcome, label: diagnosis.expected })),
  element('ul', {}, diagnosis.reasons.map((reason) => element('li', { dir: 'auto' }, reason))),
  diagnosis.advice ? element('p', { class: 'advice', dir: 'auto' },
    element('strong', {}, words('advice')), ' ', diagnosis.advice) : null,
  diagnosis.sentences_read > 0 ? disclosure(words('looked_at_it'), {},
    element('table', {}, element('tbody', {},
      rowOf('row_question', diagnosis.question_rows, diagnosis.clauses_read),
      rowOf('row_answer', diagnosis.answer_rows, diagnosis.clauses_read))),
    element('p', { class: 'note' }, words(ablation.depends_on ? 'depends_on' : 'depends_not',
      { fall: number(ablation.fall, 1) }))) : null);
}
