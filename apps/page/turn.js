// One question and what becomes of it: sent, queued, read, written, judged.

import * as api from './api.js';
import { announce, button, element, iconButton, replaceChildren } from './dom.js';
import { answerView } from './answer_view.js';
import { icon } from './icons.js';
import { number, words } from './i18n.js';
import { phaseWords } from './phase_words.js';
import { tell } from './events.js';

export class Turn {
  // kind 'ask' or 'why'; body is what is posted; scope the name of what is asked.
  constructor(kind, body, scope, askAgain) {
    this.kind = kind;
    this.body = body;
    this.scope = scope;
    this.askAgain = askAgain;
    this.state = 'running';
    this.phase = { kind: 'planning' };
    this.draft = '';
    this.control = new AbortController();
    this.place = element('article', { class: 'turn', tabindex: '-1',
      on: { click: () => tell('answer-chosen', { turn: this }) } });
    this.render();
  }

  get question() { return this.body.question; }

  async run() {
    try {
      const stream = api[this.kind](this.body, this.control.signal);
      for await (const { kind, data } of stream) this.take(kind, data);
      if (this.state === 'running') throw new api.ServiceError(words('error_ended'));
    } catch (error) {
      if (error.name === 'AbortError') {
        this.state = 'stopped';
      } else {
        this.state = 'failed';
        this.error = error;
      }
    }
    if (this.state === 'done') announce(this.verdictWords());
    else announce(this.state === 'stopped' ? words('stopped') : this.error.message);
    this.render();
    tell('answer', { turn: this });
  }

  stop() { this.control.abort(); }

  verdictWords() {
    return words(this.answer.is_extract && this.answer.verdict !== 'no_basis' ? 'verdict_extract'
      : `verdict_${this.answer.verdict}`);
  }

  take(kind, data) {
    if (kind === 'queued' || kind === 'progress' || kind === 'text') this.phase = { kind, ...data };
    if (kind === 'plan') this.plan = data;
    if (kind === 'text') this.draft += data.delta;
    if (kind === 'answer') {
      this.answer = data;
      this.state = 'done';
    }
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      if (this.state === 'running') this.renderRunning();
    });
  }

  header() {
    const label = this.body.clause ?? this.body.text;
    const notes = [
      this.scope,
      this.kind === 'why' ? words('asked_why', { label }) : null,
      this.body.hide?.length > 0
        ? words('asked_hidden', { labels: this.body.hide.join(', ') }) : null,
    ].filter(Boolean);
    return element('header', { class: 'turn-question' },
      element('h3', { dir: 'auto' }, this.question),
      element('p', { class: 'note', dir: 'auto' }, notes.join(' · ')));
  }

  render() {
    const isRunning = this.state === 'running';
    this.place.setAttribute('aria-busy', String(isRunning));
    this.place.dataset.state = this.state;
    replaceChildren(this.place, this.header());
    if (isRunning) {
      this.status = element('p', { class: 'turn-phase', role: 'status' });
      this.planPlace = element('p', { class: 'note', dir: 'auto', hidden: true });
      this.bar = element('progress', { max: 1, 'aria-label': words('reading') });
      this.draftPlace = element('p', { class: 'draft', dir: 'auto', hidden: true });
      this.draftNote = element('p', { class: 'note', hidden: true }, words('draft'));
      this.place.append(
        element('div', { class: 'turn-running' }, icon('running'), this.status,
          iconButton(words('stop'), icon('stop'), { on: { click: () => this.stop() } })),
        this.bar, this.planPlace, this.draftPlace, this.draftNote);
      this.renderRunning();
    } else if (this.state === 'done') {
      this.place.append(...answerView(this));
    } else {
      const reason = this.error?.message;
      this.place.append(
        element('p', { class: reason ? 'failure' : 'note', role: reason ? 'alert' : undefined },
          reason ? words('failed', { reason }) : words('stopped')),
        this.draft ? element('p', { class: 'draft', dir: 'auto' }, this.draft) : '',
        button(words('ask_again'), { class: 'button button-quiet',
          on: { click: () => this.askAgain(this) } }));
    }
  }

  renderRunning() {
    const phase = phaseWords(this.phase);
    if (this.status.textContent !== phase) this.status.textContent = phase;
    const { kind, done, total } = this.phase;
    this.bar.hidden = kind === 'text';
    if (kind === 'progress' && total > 0) this.bar.value = done / total;
    else this.bar.removeAttribute('value');
    this.planPlace.hidden = !this.plan;
    if (this.plan) {
      const seconds = number(this.plan.predicted_seconds, this.plan.predicted_seconds < 10 ? 1 : 0);
      this.planPlace.textContent = [words(`route_${this.plan.route}`),
        words('predicted_about', { seconds }), this.plan.reason].join(' · ');
    }
    this.draftPlace.hidden = this.draft === '';
    this.draftNote.hidden = this.draft === '';
    this.draftPlace.textContent = this.draft;
  }
}
