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

// What a clause is called on the page.
export function clauseName(clause, words) {
  if (clause.kind === 'preamble') return words('preamble');
  if (clause.kind === 'closing') return words('closing');
  return clause.label || clause.number || words('no_clause');
}
