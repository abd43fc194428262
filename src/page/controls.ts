import type { Metric } from '../model/limits.js';
import type { RepeatKey } from '../policy/policy.js';
import { formatLimit } from '../report/format.js';
import { element } from './elements.js';
import type { CapRange } from './ranges.js';
import { capIn, countIn, LEAST_REPEAT, type State } from './state.js';

/** The controls as the page shows them. */
export interface Controls {
  readonly root: HTMLElement;
  /** Shows a state, whoever set it. */
  show(state: State): void;
}

const MOST_REPEAT = 12;
const NAMES: Readonly<Record<Metric, string>> = {
  passes: 'Passes',
  tokens: 'Tokens',
  seconds: 'Seconds',
  usd: 'US dollars',
};

/**
 * Controls for these caps and the repeat rule.
 *
 * @param key what the rule compares
 * @param changed is told every state that a reader sets
 */
export function createControls(
  ranges: readonly CapRange[],
  key: RepeatKey,
  first: State,
  changed: (state: State) => void,
): Controls {
  let state = first;
  const set = (next: State): void => {
    state = next;
    changed(next);
  };
  const caps = ranges.map((range) =>
    capControl(range, (cap) => set({ ...state, caps: { ...state.caps, [range.metric]: cap } })),
  );
  const repeat = repeatControl(key, (count) => set({ ...state, repeat: count }));
  const root = element(
    'form',
    { class: 'controls', 'aria-label': 'Caps to try' },
    ...caps.map((cap) => cap.root),
    repeat.root,
  );
  root.addEventListener('submit', (event) => event.preventDefault());
  const show = (next: State): void => {
    state = next;
    for (const [at, { metric }] of ranges.entries()) caps[at]?.show(next.caps[metric]);
    repeat.show(next.repeat);
  };
  show(first);
  return { root, show };
}

interface Control {
  readonly root: HTMLElement;
  show(value: number | null): void;
}

function capControl({ metric, most, step }: CapRange, set: (cap: number | null) => void): Control {
  const number = element('input', { type: 'text', inputmode: 'decimal', id: `cap-${metric}`, autocomplete: 'off' });
  const slider = element('input', {
    ...{ type: 'range', min: String(step), max: String(most), step: String(step) },
    'aria-label': `${NAMES[metric]}, slider`,
  });
  const none = element('input', { type: 'checkbox', id: `none-${metric}` });
  const fault = element('p', { class: 'fault', role: 'status' });
  let last = most;
  const show = (cap: number | null): void => {
    number.value = cap === null ? '' : String(cap);
    number.placeholder = 'no cap';
    slider.value = String(cap ?? most);
    slider.setAttribute('aria-valuetext', cap === null ? 'no cap' : formatLimit(metric, cap));
    none.checked = cap === null;
    fault.textContent = '';
    number.removeAttribute('aria-invalid');
    if (cap !== null) last = cap;
  };
  number.addEventListener('input', () => {
    const cap = capIn(metric, number.value.trim());
    if (cap === undefined) {
      fault.textContent = `Not a cap on ${metric}: a number above 0, or nothing for none.`;
      number.setAttribute('aria-invalid', 'true');
      return;
    }
    const typed = number.value;
    show(cap);
    number.value = typed;
    set(cap);
  });
  slider.addEventListener('input', () => {
    const cap = Number(slider.value);
    show(cap);
    set(cap);
  });
  none.addEventListener('change', () => {
    const cap = none.checked ? null : last;
    show(cap);
    set(cap);
  });
  const root = element(
    'fieldset',
    {},
    element('legend', {}, NAMES[metric]),
    element(
      'div',
      { class: 'typed' },
      element('label', { for: number.id }, 'Cap'),
      number,
      element('label', { class: 'choice', for: none.id }, none, 'no cap'),
    ),
    slider,
    fault,
  );
  return { root, show };
}

function repeatControl(key: RepeatKey, set: (count: number | null) => void): Control {
  const choice = element('select', { id: 'repeat' });
  const optionOf = (count: number | null): HTMLElement =>
    element(
      'option',
      { value: count === null ? 'none' : String(count) },
      count === null ? 'no rule' : `${count} times`,
    );
  for (const count of [null, ...Array.from({ length: MOST_REPEAT - LEAST_REPEAT + 1 }, (_, at) => at + LEAST_REPEAT)])
    choice.append(optionOf(count));
  choice.addEventListener('change', () => set(countIn(choice.value) ?? null));
  const root = element(
    'fieldset',
    {},
    element('legend', {}, 'Repeats'),
    element('label', { for: choice.id }, `Stop when the same ${key} comes`),
    choice,
  );
  const show = (count: number | null): void => {
    const value = count === null ? 'none' : String(count);
    // A count out of a policy or an address may be above those listed.
    if (![...choice.options].some((option) => option.value === value)) choice.append(optionOf(count));
    choice.value = value;
  };
  return { root, show };
}
