// An answer with its citations as a file: Markdown, JSON, or a page to print. The page is built as
// elements and only then written out; in Markdown every character that could begin markup is
// escaped, so that a viewer of these files loads nothing and runs nothing either.

import { element } from './dom.js';
import { clauseAndHeading, numberedCitations } from './citations.js';
import { language, percent, words } from './i18n.js';
import { ByteText, joinedLines } from './places.js';

const kStyle = `
body { font: 11pt/1.5 Georgia, "Noto Serif CJK SC", serif; max-width: 42em; margin: 2em auto;
  padding: 0 1em; color: #1c2126; background: #fff; }
h1 { font-size: 1.35em; line-height: 1.3; }
h2 { font-size: 1em; margin-top: 1.6em; }
.verdict { font-weight: bold; border-left: 4px solid #555; padding-left: .6em; }
.about, footer { color: #55595e; font-size: .85em; }
blockquote { margin: .3em 0 1em; padding-left: .8em; border-left: 2px solid #bbb; }
li { break-inside: avoid; }
sup { font-size: .75em; }
.text { white-space: pre-line; }
@page { margin: 2.2cm; }
`;

export function escapedMarkdown(text) {
  return text.replace(/[\\`*_{}[\]()<>#+\-.!|~&:@]/g, '\\$&').replace(/\s*\n\s*/g, ' ');
}

// What all three formats say, in order.
function content(turn) {
  const { answer } = turn;
  const { list, ofAnswer, marks } = numberedCitations(answer);
  const isWithheld = answer.verdict === 'no_basis';
  const bytes = new ByteText((isWithheld ? null : answer.answer) ?? '');
  const sentences = isWithheld || !answer.answer ? [] : answer.sentences.map((sentence, i) => ({
    text: bytes.slice(i === 0 ? 0 : answer.sentences[i - 1].answer_end, sentence.answer_end),
    marks: marks[i].map((place) => place + 1),
  }));
  const end = answer.sentences.at(-1)?.answer_end ?? 0;
  if (answer.answer && end < bytes.length) {
    sentences.push({ text: bytes.slice(end, bytes.length), marks: [] });
  }
  return {
    answer, sentences, isWithheld,
    title: isWithheld ? words('nearest') : words('read_from'),
    about: [(answer.documents ?? [answer.document]).map((one) => one.name).join(', '),
      words('page_title').split(/[:：]/)[0], answer.model].join(' · '),
    citations: list.map((citation, i) => ({
      where: [citation.document, clauseAndHeading(citation), citation.page_label
        ? words('on_page', { label: citation.page_label }) : null].filter(Boolean).join(', '),
      share: words(i < ofAnswer ? 'share_of_evidence' : 'share_of_sentence',
        { percent: percent(citation.share) }),
      quotation: joinedLines(citation.quotation),
    })),
  };
}

export function markdownOf(turn) {
  const { answer, sentences, title, about, citations } = content(turn);
  const escaped = escapedMarkdown;
  const lines = [`# ${escaped(answer.question)}`, '', escaped(about), '',
    `**${turn.verdictWords()}**`, '', ...answer.reasons.map((reason) => `- ${escaped(reason)}`),
    ''];
  if (sentences.length > 0) {
    lines.push(sentences.map((one) => escaped(one.text)
      + one.marks.map((mark) => ` [${mark}]`).join('')).join(''), '');
  }
  lines.push(`## ${title}`, '');
  citations.forEach((citation, i) => {
    lines.push(`${i + 1}. ${escaped(citation.where)} (${escaped(citation.share)})`, '',
      `   > ${escaped(citation.quotation)}`, '');
  });
  lines.push(escaped(words('exported_note')), '');
  return lines.join('\n');
}

export function htmlOf(turn) {
  const { answer, sentences, title, about, citations } = content(turn);
  const page = document.implementation.createHTMLDocument(answer.question);
  page.documentElement.lang = language() === 'zh' ? 'zh-CN' : 'en';
  page.head.prepend(element('meta', { charset: 'utf-8' }), element('meta', {
    'http-equiv': 'Content-Security-Policy',
    content: "default-src 'none'; style-src 'unsafe-inline'",
  }));
  page.head.append(element('style', {}, kStyle));
  page.body.append(
    element('h1', {}, answer.question), element('p', { class: 'about' }, about),
    element('p', { class: 'verdict' }, turn.verdictWords()),
    element('ul', {}, answer.reasons.map((reason) => element('li', {}, reason))),
    element('p', { class: 'text' }, sentences.map((one) => [one.text,
      one.marks.map((mark) => element('sup', {}, ` [${mark}]`))])),
    element('h2', {}, title),
    element('ol', {}, citations.map((citation) => element('li', {},
      `${citation.where} (${citation.share})`,
      element('blockquote', {}, citation.quotation)))),
    element('footer', {}, words('exported_note')));
  return `<!doctype html>\n${page.documentElement.outerHTML}\n`;
}

const kFormats = {
  markdown: { ending: 'md', type: 'text/markdown', make: markdownOf },
  json: { ending: 'json', type: 'application/json',
    make: (turn) => `${JSON.stringify(turn.answer, null, 2)}\n` },
  html: { ending: 'html', type: 'text/html', make: htmlOf },
};

function fileName(question, ending) {
  const plain = question.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').slice(0, 60);
  return `${plain || 'answer'}.${ending}`;
}

export function exportAnswer(turn, format) {
  const { ending, type, make } = kFormats[format];
  const blob = new Blob([make(turn)], { type: `${type};charset=utf-8` });
  const link = element('a', { href: URL.createObjectURL(blob),
    download: fileName(turn.question, ending) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
