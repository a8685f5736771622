// What a job of the service is at, in words.

import { number, words } from './i18n.js';

// kind: of its last event; the rest is that event's data.
export function phaseWords({ kind, ahead, done, total, seconds_left: left }) {
  if (kind === 'queued' && ahead > 0) return words('queued', { count: ahead });
  if (kind === 'progress' && total > 0) {
    const values = { done: number(done), total: number(total), seconds: Math.ceil(left ?? 0) };
    return words(left > 0 ? 'reading_tokens_left' : 'reading_tokens', values);
  }
  if (kind === 'text') return words('writing');
  return words('planning');
}
