// Citations of an answer under their numbers, and what a click on one does.

import { button, element } from './dom.js';
import { tell } from './events.js';
import { idOfHash } from './library.js';
import { percent, number, words } from './i18n.js';
import { joinedLines } from './places.js';

// As in the program's text: one number a clause, or a passage where there is no clause.
const isSame = (a, b) => a.document === b.document && a.clause === b.clause
  && (a.clause !== '' || (a.text_begin === b.text_begin && a.text_end === b.text_end));

// The answer's citations first, then those that only a sentence has: {list, ofAnswer, marks}, where
// marks[i] are places in list of sentence i. Without a basis only the nearest passages are listed.
export function numberedCitations(answer) {
  const list = [...(answer.citations ?? answer.nearest ?? [])];
  const ofAnswer = list.length;
  const placeOf = (citation) => {
    const at = list.findIndex((listed) => isSame(listed, citation));
    if (at >= 0) return at;
    return answer.verdict === 'no_basis' ? -1 : list.push(citation) - 1;
  };
  const marks = answer.sentences.map((sentence) => [...new Set(sentence.citations.map(placeOf))]
    .filter((place) => place >= 0));
  return { list, ofAnswer, marks };
}

// The id of the document that a citation of this turn's answer lies in.
export function documentIdOf(citation, turn) {
  const { answer } = turn;
  const about = answer.documents
    ? answer.documents.find((one) => one.name === citation.document) : answer.document;
  return about?.sha256 ? idOfHash(about.sha256) : turn.body.document ?? null;
}

export function clauseOf(citation) {
  return citation.clause || words('no_clause');
}

export function clauseAndHeading(citation) {
  return [clauseOf(citation), citation.heading].filter(Boolean).join(' ');
}

export function citationName(citation, place) {
  const values = { number: place + 1, clause: clauseAndHeading(citation),
    page: citation.page_label ?? '' };
  return words(citation.page_label ? 'citation_name' : 'citation_name_no_page', values);
}

function show(citation, place, turn) {
  for (const other of turn.place.querySelectorAll('[data-citation]')) {
    other.dataset.current = String(other.dataset.citation === String(place));
  }
  tell('place', {
    id: documentIdOf(citation, turn), begin: citation.text_begin, end: citation.text_end,
    boxes: citation.boxes, kind: 'citation',
  });
}

// [1] in the text.
export function citationMark(citation, place, turn) {
  return button(String(place + 1), {
    class: 'citation-mark', 'aria-label': citationName(citation, place),
    title: citationName(citation, place), data: { citation: place },
    on: { click: () => show(citation, place, turn) },
  });
}

function ablationLine(ablation) {
  if (!ablation) return null;
  return element('p', { class: 'note' }, words(ablation.depends_on ? 'depends_on' : 'depends_not',
    { fall: number(ablation.fall, 1) }));
}

export function citationItem(citation, place, turn, isOfAnswer) {
  const where = [citation.document,
    citation.page_label ? words('on_page', { label: citation.page_label }) : null]
    .filter(Boolean).join(' · ');
  const shareWords = words(isOfAnswer ? 'share_of_evidence' : 'share_of_sentence',
    { percent: percent(citation.share) });
  return element('li', { class: 'citation', data: { citation: place } },
    button('', {
      class: 'citation-open', 'aria-label': `${citationName(citation, place)}. ${shareWords}`,
      on: { click: () => show(citation, place, turn) },
    },
    element('span', { class: 'citation-number' }, String(place + 1)),
    element('span', { class: 'citation-clause', dir: 'auto' }, clauseAndHeading(citation)),
    element('span', { class: 'citation-where' }, where),
    element('span', { class: 'citation-share', title: words('lift',
      { lift: number(citation.lift, 1) }) },
    element('span', { class: 'citation-share-bar' },
      element('span', { style: { width: `${Math.min(citation.share, 1) * 100}%` } })),
    shareWords),
    element('q', { class: 'quotation', dir: 'auto' }, joinedLines(citation.quotation))),
    ablationLine(citation.ablation));
}
