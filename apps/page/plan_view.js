// How the document was read: the route, its seconds as predicted and as they were, the passages.

import { disclosure, element } from './dom.js';
import { number, words } from './i18n.js';

function bar(name, seconds, longest, kind) {
  const text = words('seconds', { seconds: number(seconds, seconds < 10 ? 1 : 0) });
  return element('div', { class: 'plan-row' },
    element('span', { class: 'plan-name' }, name),
    element('span', { class: 'plan-track' }, element('span', {
      class: `plan-bar plan-${kind}`, style: { width: `${100 * seconds / longest}%` },
    })),
    element('span', { class: 'plan-figure' }, text));
}

function passageLine(passage) {
  return element('li', { dir: 'auto' },
    element('strong', {}, passage.clause || words('no_clause')), ' ',
    words(`passage_${passage.reason}`, { subject: passage.subject }));
}

export function planView(answer) {
  const { plan, timing } = answer;
  const real = timing.prefill_seconds + timing.decode_seconds;
  const longest = Math.max(plan.predicted_seconds, real, 0.001);
  const allowed = words('seconds', { seconds: number(plan.budget_seconds) });
  const passages = plan.passages ?? [];
  return element('div', { class: 'plan' },
    element('p', {}, element('strong', {}, words(`route_${plan.route}`)),
      plan.passages_read > 0 ? `: ${words('plan_passages', { read: number(plan.passages_read),
        all: number(plan.passages_in_document) })}` : ''),
    element('p', { dir: 'auto' }, plan.reason),
    bar(words('predicted'), plan.predicted_seconds, longest, 'predicted'),
    bar(words('real'), real, longest, 'real'),
    element('p', { class: 'note' }, `${words('allowed')} ${allowed}. `,
      words('plan_tokens', { prompt: number(plan.prompt_tokens),
        kept: number(plan.kept_tokens), document: number(plan.document_tokens) })),
    passages.length > 0 ? disclosure(words('passages_chosen'), {},
      element('ul', { class: 'plan-passages' }, passages.map(passageLine))) : null);
}
