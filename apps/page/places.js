// Places are bytes of UTF-8, strings of JavaScript count UTF-16: this file is where they meet.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// Cuts pieces out of one text by byte places.
export class ByteText {
  constructor(text) { this.bytes = encoder.encode(text); }

  get length() { return this.bytes.length; }

  slice(begin, end) { return decoder.decode(this.bytes.subarray(begin, end)); }
}

// Lines of a source joined for reading: a line end is a blank, or nothing between Han characters.
export function joinedLines(text) {
  return text.replace(/(\p{Script=Han}|[，。；：、（）])\s*\n\s*(?=\p{Script=Han}|[，。；：、（）])/gu, '$1')
    .replace(/\s+/g, ' ').trim();
}

const kOpeningBytes = 240;

// The first words of a clause without a heading, behind its number; `bytes` are of the document.
export function openingOf(bytes, clause) {
  if (clause.heading) return '';
  const end = Math.min(clause.own_text_end, clause.text_begin + kOpeningBytes);
  const text = joinedLines(decoder.decode(bytes.subarray(clause.text_begin, end)));
  const rest = text.startsWith(clause.number) ? text.slice(clause.number.length) : text;
  return rest.replace(/^[\s.:：、]+/u, '').replace(/\ufffd+$/u, '');
}

// What a clause is called on the page.
export function clauseName(clause, words) {
  if (clause.kind === 'preamble') return words('preamble');
  if (clause.kind === 'closing') return words('closing');
  return clause.label || clause.number || words('no_clause');
}
