// A document as text, in blocks of a few thousand bytes that the browser lays out only when they
// come near the view. Places are bytes of the document's text, as in all reports of the service.

import { element, replaceChildren } from './dom.js';

const kBlockBytes = 4096;
const kLineEnd = 10;
const decoder = new TextDecoder();

// Ends of blocks: after the first line end past kBlockBytes, or, in a line longer than four blocks,
// before a byte that begins a character.
function cut(bytes) {
  const ends = [];
  for (let begin = 0; begin < bytes.length;) {
    const wanted = begin + kBlockBytes;
    const limit = Math.min(bytes.length, begin + 4 * kBlockBytes);
    let end = Math.min(wanted, bytes.length);
    while (end < limit && bytes[end - 1] !== kLineEnd) end += 1;
    while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) end += 1;
    ends.push(end);
    begin = end;
  }
  return ends;
}

export class TextFlow {
  // tellPlace(byte) is called with where the block at the top of the view begins.
  constructor(scroller, bytes, tellPlace) {
    this.scroller = scroller;
    this.bytes = bytes;
    this.ends = cut(bytes);
    this.stop = new AbortController();
    this.blocks = this.ends.map((_, i) => element('div', { class: 'text-block', dir: 'auto' },
      this.textOf(i)));
    this.tellPlace = tellPlace;
    this.body = element('div', { class: 'text-flow' }, this.blocks);
    replaceChildren(scroller, this.body);
    scroller.addEventListener('scroll', () => this.scrolled(),
      { passive: true, signal: this.stop.signal });
  }

  beginOf(block) { return block === 0 ? 0 : this.ends[block - 1]; }

  text(begin, end) { return decoder.decode(this.bytes.subarray(begin, end)); }

  textOf(block) { return this.text(this.beginOf(block), this.ends[block]); }

  blockOf(place) {
    let low = 0;
    let high = this.ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle] > place) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  mark(begin, end, kind) {
    for (const block of this.marked ?? []) {
      replaceChildren(this.blocks[block], this.textOf(block));
    }
    this.marked = [];
    if (!(end > begin) || this.blocks.length === 0) return false;
    for (let block = this.blockOf(begin); block < this.blocks.length; ++block) {
      const from = this.beginOf(block);
      const to = this.ends[block];
      if (from >= end) break;
      const left = Math.max(from, begin);
      const right = Math.min(to, end);
      replaceChildren(this.blocks[block], this.text(from, left),
        element('mark', { class: `mark-${kind}` }, this.text(left, right)), this.text(right, to));
      this.marked.push(block);
    }
    this.show(this.blocks[this.marked[0]].querySelector('mark'));
    return true;
  }

  // Blocks that were never laid out have a guessed height: once they are near, their place is sure.
  show(node) {
    node.scrollIntoView({ block: 'center', behavior: 'instant' });
    requestAnimationFrame(() => node.scrollIntoView({ block: 'center', behavior: 'instant' }));
  }

  scrolled() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      const line = this.scroller.scrollTop + this.scroller.clientHeight / 3;
      let low = 0;
      let high = this.blocks.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (this.blocks[middle].offsetTop <= line) low = middle;
        else high = middle - 1;
      }
      this.tellPlace(this.beginOf(low));
    });
  }

  close() { this.stop.abort(); }
}
