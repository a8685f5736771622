// What one part of the page tells the others. A part never holds another one.
//
//   files            the list of documents changed
//   open             {id}: show this document
//   opened           {document}: it is shown now; null: none is
//   openings         the first words of its clauses are known now
//   place            {document, begin, end, boxes, kind}: show and mark this passage
//   clause           {index}: a clause was chosen, by tree, map or card
//   clause-in-view   {index}: the clause that now stands at the top of the view
//   answer           {turn}: an answer is complete, or was chosen among several
//   ask              {question, hide}: put this question
//   why              {label}: diagnose this clause for the latest question
//   language, theme  a setting changed

const bus = new EventTarget();

export function tell(kind, detail = {}) {
  bus.dispatchEvent(new CustomEvent(kind, { detail }));
}

export function listen(kind, listener) {
  bus.addEventListener(kind, (event) => listener(event.detail));
}
