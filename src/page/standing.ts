import { element } from './elements.js';
import { fragmentOf, misreadIn, type State } from './state.js';

/** What is shown, in words: that it is no longer today's policy, and that an address was not understood. */
export interface Standing {
  readonly misread: HTMLElement;
  readonly changed: HTMLElement;
  /** Says so where other caps than today's are set. */
  show(state: State): void;
  /** Says so where an address was not understood. @param state what came of it */
  read(fragment: string, state: State): void;
}

const CHANGED =
  'The figures above and the ladder, how sure it is, diagnosis and card below are those of today’s policy.';

export function createStanding(own: State): Standing {
  const misread = element('p', { class: 'fault', role: 'status' });
  const changed = element('p', { class: 'standing' });
  const isOwn = (state: State): boolean => fragmentOf(state) === fragmentOf(own);
  return {
    misread,
    changed,
    show(state) {
      changed.textContent = isOwn(state) ? '' : CHANGED;
    },
    read(fragment, state) {
      const text = misreadText(fragment, isOwn(state));
      if (misread.textContent !== text) misread.textContent = text;
    },
  };
}

function misreadText(fragment: string, isOwn: boolean): string {
  // A name alone is a link to a part of the page.
  const isLink = !fragment.includes('=') && document.getElementById(fragment.slice(1)) !== null;
  const wrong = fragment.length < 2 || isLink ? null : misreadIn(fragment);
  if (wrong === null) return '';
  if (isOwn) return 'The address was not understood: today’s policy is shown.';
  const parts = wrong.length === 0 ? '' : ` (${wrong.join(', ')})`;
  return `Part of the address was not understood${parts}: for that, today’s policy is shown.`;
}
