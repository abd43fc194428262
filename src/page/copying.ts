import { EXPORTERS } from '../exporters/index.js';
import type { PolicyRecord } from '../policy/policy-record.js';
import { element } from './elements.js';
import { OWN_FORM, policyText } from './policy-text.js';

/** The policy as text to be copied: its own file, or the settings of a framework. */
export interface Copying {
  readonly root: HTMLElement;
  show(record: PolicyRecord): void;
}

export function createCopying(): Copying {
  const choice = element(
    'select',
    { id: 'copy-as' },
    element('option', { value: OWN_FORM }, OWN_FORM),
    ...EXPORTERS.map(({ id, title }) => element('option', { value: id }, title)),
  );
  const text = element('pre', { tabindex: '0', role: 'group', 'aria-label': 'The policy as text' });
  const button = element('button', { type: 'button' }, 'Copy');
  const told = element('span', { role: 'status' });
  let record: PolicyRecord | null = null;
  const write = (): void => {
    if (told.textContent !== '') told.textContent = '';
    if (record !== null) text.textContent = policyText(record, choice.value);
  };
  choice.addEventListener('change', write);
  button.addEventListener('click', () => {
    void copied(text).then((done) => {
      told.textContent = done ? 'Copied.' : 'Press Ctrl+C: the text is selected.';
    });
  });
  const root = element(
    'div',
    { class: 'copying' },
    element('p', {}, element('label', { for: choice.id }, 'This policy as'), choice, button, told),
    text,
  );
  return {
    root,
    show(next) {
      record = next;
      write();
    },
  };
}

/** Selects the text where the clipboard is out of reach. */
async function copied(text: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(text);
    return false;
  }
}
