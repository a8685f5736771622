// The pages of a document as pictures: a sheet of the right size for each from the start, a picture
// only for those near the view. Pictures come by fetch, not as the address of an <img>: a request
// can then carry the key, and is given up when its page has gone by.

import * as api from './api.js';
import { element, replaceChildren } from './dom.js';
import { words } from './i18n.js';

const kPointsPerInch = 72;
const kResolutions = [72, 96, 144, 192, 288];
const kRestMs = 90;           // while pages go by, one that stays near the view so long is fetched
const kFetchedTogether = 3;
const kKeptPictures = 24;
const kWidestPixels = 940;    // of a page at zoom 1
const kUsualPoints = 595;     // the width of A4; of Letter 612

const scaleFor = (scroller, widest, zoom) =>
  Math.min(scroller.clientWidth - 32, kWidestPixels) / widest * zoom;

function resolutionFor(scale) {
  const wanted = scale * kPointsPerInch * (window.devicePixelRatio || 1);
  return kResolutions.find((dpi) => dpi >= wanted * 0.95) ?? kResolutions.at(-1);
}

// The first page's picture is asked for together with the document, whose page sizes are not known
// yet: {dpi, blob}, of use where that is the resolution that its pages turn out to need.
export function fetchFirst(id, scroller, zoom, signal) {
  const dpi = resolutionFor(scaleFor(scroller, kUsualPoints, zoom));
  const blob = api.pictureOf(id, 1, dpi, signal);
  blob.catch(() => {});  // whoever needs it asks again, and shows why it failed
  return { dpi, blob };
}

export class PagePictures {
  // tellPage(index) is called when another page stands at the top of the view; first: what
  // fetchFirst gave for this document, or null.
  constructor(scroller, document, tellPage, first = null) {
    this.first = first;
    this.scroller = scroller;
    this.document = document;
    this.tellPage = tellPage;
    this.zoom = 1;
    this.waiting = new Map();  // page -> timer, or AbortController once it is fetched
    this.queue = [];
    this.fetching = 0;
    this.kept = new Map();     // page -> address of its picture, oldest first
    this.near = new Set();
    this.scrolledAt = -Infinity;
    this.stop = new AbortController();
    this.sheets = document.pages.map((page, i) => this.makeSheet(page, i));
    this.nameSheets();
    this.body = element('div', { class: 'pages' }, this.sheets);
    replaceChildren(scroller, this.body);
    this.fit();
    this.observer = new IntersectionObserver((entries) => this.changed(entries),
      { root: scroller, rootMargin: '60% 0px' });
    for (const sheet of this.sheets) this.observer.observe(sheet);
    this.resized = new ResizeObserver(() => this.fit());
    this.resized.observe(scroller);
    scroller.addEventListener('scroll', () => this.scrolled(),
      { passive: true, signal: this.stop.signal });
  }

  makeSheet(page, i) {
    return element('div', {
      class: 'sheet', data: { page: i }, role: 'img',
      style: { 'aspect-ratio': `${page.width} / ${page.height}` },
    }, element('span', { class: 'sheet-label', 'aria-hidden': 'true' }, page.label));
  }

  nameSheets() {
    this.sheets.forEach((sheet, i) => sheet.setAttribute('aria-label',
      words('page_picture', { label: this.document.pages[i].label })));
  }

  // Sheets keep the place that is read when their width changes.
  fit() {
    if (this.scroller.clientWidth <= 32) return;
    const widest = Math.max(...this.document.pages.slice(0, 200).map((page) => page.width));
    const scale = scaleFor(this.scroller, widest, this.zoom);
    if (scale === this.scale) return;
    const at = this.pageInView();
    const sheet = this.sheets[at];
    const share = sheet && this.scale
      ? (this.scroller.scrollTop - sheet.offsetTop) / sheet.offsetHeight : 0;
    this.scale = scale;
    this.sheets.forEach((one, i) => {
      one.style.width = `${Math.round(this.document.pages[i].width * scale)}px`;
    });
    if (sheet && share) this.scroller.scrollTop = sheet.offsetTop + share * sheet.offsetHeight;
  }

  setZoom(zoom) {
    this.zoom = zoom;
    this.fit();
    for (const page of this.near) this.want(page);
  }

  resolution() { return resolutionFor(this.scale); }

  changed(entries) {
    for (const { target, isIntersecting } of entries) {
      const page = Number(target.dataset.page);
      if (isIntersecting) {
        this.near.add(page);
        this.want(page);
      } else {
        this.near.delete(page);
        this.giveUp(page);
      }
    }
  }

  want(page) {
    if (this.waiting.has(page)) return;
    if (this.sheets[page].dataset.dpi === String(this.resolution())) return;
    this.waiting.set(page, setTimeout(() => {
      this.queue.push(page);
      this.next();
    }, performance.now() - this.scrolledAt < kRestMs ? kRestMs : 0));
  }

  giveUp(page) {
    const state = this.waiting.get(page);
    if (state === undefined) return;
    if (state instanceof AbortController) state.abort();
    else clearTimeout(state);
    this.queue = this.queue.filter((other) => other !== page);
    this.waiting.delete(page);
  }

  // The page nearest to what is looked at comes first.
  next() {
    const view = this.pageInView();
    this.queue.sort((a, b) => Math.abs(a - view) - Math.abs(b - view));
    while (this.fetching < kFetchedTogether && this.queue.length > 0) this.load(this.queue.shift());
  }

  async load(page) {
    const control = new AbortController();
    this.waiting.set(page, control);
    this.fetching += 1;
    try {
      const dpi = this.resolution();
      const blob = await this.pictureOf(page, dpi, control.signal);
      await this.place(page, dpi, blob, control.signal);
    } catch (error) {
      if (error.name !== 'AbortError') this.fail(page, error);
    } finally {
      if (this.waiting.get(page) === control) this.waiting.delete(page);
      this.fetching -= 1;
      if (!this.stop.signal.aborted) this.next();
    }
  }

  async pictureOf(page, dpi, signal) {
    const early = page === 0 && this.first?.dpi === dpi ? this.first : null;
    if (early) {
      this.first = null;
      try {
        return await early.blob;
      } catch { /* asked for again */ }
    }
    return api.pictureOf(this.document.id, page + 1, dpi, signal);
  }

  async place(page, dpi, blob, signal) {
    const address = URL.createObjectURL(blob);
    const picture = element('img', { alt: '', draggable: 'false', decoding: 'async',
      src: address });
    try {
      await picture.decode();
    } catch (error) {
      URL.revokeObjectURL(address);
      throw error;
    }
    if (signal.aborted) {
      URL.revokeObjectURL(address);
      return;
    }
    const sheet = this.sheets[page];
    this.drop(page);
    sheet.dataset.dpi = String(dpi);
    sheet.prepend(picture);
    this.kept.set(page, address);
    for (const old of this.kept.keys()) {
      if (this.kept.size <= kKeptPictures) break;
      if (!this.near.has(old)) this.drop(old);
    }
  }

  drop(page) {
    const address = this.kept.get(page);
    if (address) URL.revokeObjectURL(address);
    this.kept.delete(page);
    const sheet = this.sheets[page];
    delete sheet.dataset.dpi;
    sheet.querySelector('img')?.remove();
    sheet.querySelector('.sheet-failure')?.remove();
  }

  fail(page, error) {
    this.drop(page);
    const { label } = this.document.pages[page];
    this.sheets[page].dataset.dpi = 'failed';
    this.sheets[page].prepend(element('p', { class: 'sheet-failure' },
      words('page_failed', { label, reason: error.message })));
  }

  pageInView() {
    const line = this.scroller.scrollTop + this.scroller.clientHeight / 3;
    let low = 0;
    let high = this.sheets.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.sheets[middle].offsetTop <= line) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  scrolled() {
    this.scrolledAt = performance.now();
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      const page = this.pageInView();
      if (page !== this.page) {
        this.page = page;
        this.tellPage(page);
      }
    });
  }

  scrollTo(top) {
    const way = Math.abs(top - this.scroller.scrollTop);
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const behavior = !isCalm && way < 2 * this.scroller.clientHeight ? 'smooth' : 'instant';
    this.scroller.scrollTo({ top, behavior });
  }

  goTo(page) { this.scrollTo(this.sheets[page].offsetTop - 12); }

  // Boxes are in points from the page's upper left corner, their pages count from 1. Returns the
  // label of the first marked page, or null.
  mark(boxes, kind) {
    for (const old of this.body.querySelectorAll('.mark')) old.remove();
    const sized = boxes.filter((box) => this.sheets[box.page - 1]);
    for (const box of sized) {
      const { width, height } = this.document.pages[box.page - 1];
      this.sheets[box.page - 1].append(element('div', {
        class: `mark mark-${kind}`,
        style: {
          left: `${100 * box.left / width}%`, top: `${100 * box.top / height}%`,
          width: `${100 * (box.right - box.left) / width}%`,
          height: `${100 * (box.bottom - box.top) / height}%`,
        },
      }));
    }
    if (sized.length === 0) return null;
    const first = sized[0];
    const sheet = this.sheets[first.page - 1];
    const page = this.document.pages[first.page - 1];
    const within = sheet.offsetHeight * first.top / page.height;
    this.scrollTo(Math.max(0, sheet.offsetTop + within - this.scroller.clientHeight / 4));
    return page.label;
  }

  close() {
    this.stop.abort();
    this.observer.disconnect();
    this.resized.disconnect();
    for (const page of [...this.waiting.keys()]) this.giveUp(page);
    for (const page of [...this.kept.keys()]) this.drop(page);
  }
}

export const hasSheet = (page) => page.width > 0 && page.height > 0;
