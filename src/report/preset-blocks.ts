import { fromAtoms } from '../model/atoms.js';
import { LIMITS } from '../model/limits.js';
import type { Preset } from '../policy/presets.js';
import { type Block, facts, heading, paragraph } from './blocks.js';
import { formatLimit } from './format.js';
import { describeRule } from './rule-words.js';

/** Every preset: what it stands for, what it holds, and what it leaves out. */
export function presetBlocks(presets: readonly Preset[]): Block[] {
  return presets.flatMap((preset) => [
    heading(preset.name),
    paragraph(preset.standsFor),
    facts([
      { term: 'caps', text: capsText(preset) },
      { term: 'order', text: orderText(preset) },
      { term: 'rules', text: rulesText(preset) },
      { term: 'left out', text: preset.leavesOut ?? 'nothing' },
    ]),
  ]);
}

function capsText({ policy, derivesCaps }: Preset): string {
  if (derivesCaps) return 'derived from the runs at hand';
  const caps = LIMITS.flatMap((limit) => {
    const atoms = policy.caps[limit];
    return atoms === undefined ? [] : [formatLimit(limit, fromAtoms(limit, atoms))];
  });
  const dispatch = policy.stepsAt === 'dispatch' ? '; steps are judged before each tool call as well' : '';
  return caps.length === 0 ? 'none' : caps.join(', ') + dispatch;
}

/** What is asked, in order; limits that the preset sets nothing for have nothing to say. */
function orderText({ policy, derivesCaps }: Preset): string {
  const { caps, rules, order } = policy;
  const asked = order.filter((entry) =>
    entry === 'rules' ? rules.length > 0 : caps[entry] !== undefined || (derivesCaps && entry !== 'steps'),
  );
  return asked.join(', ');
}

function rulesText({ policy }: Preset): string {
  if (policy.rules.length === 0) return 'none';
  return policy.rules.map((rule) => `${rule.name}: ${describeRule(rule)}`).join('. ');
}
