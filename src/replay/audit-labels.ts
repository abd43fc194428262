import { isVerifiedSuccess, passCount } from '../model/measure.js';
import type { Run } from '../model/run.js';
import type { Finding } from './audit-result.js';
import { brief, createMixedTasks, type Split, splitMessage } from './mixed-tasks.js';

/** Looks for labels that split the verified successes into runs of different size. */
export interface LabelCheck {
  see(run: Run): void;
  findings(): Finding[];
}

export function labelCheck(): LabelCheck {
  const mixed = createMixedTasks();
  return {
    see(run) {
      const passes = passCount(run);
      if (passes !== null && isVerifiedSuccess(run)) mixed.see(run, passes);
    },
    findings: () => [...mixed.splits()].map(([label, split]) => findingOf(label, split)),
  };
}

function findingOf(label: string, split: Split): Finding {
  return {
    severity: 'doubtful',
    code: 'mixed_tasks',
    message: splitMessage(label, split),
    hint: `derive a policy for each: --by ${brief(label)}`,
    count: split.runs,
    ids: [],
  };
}
