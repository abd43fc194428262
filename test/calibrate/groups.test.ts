import { describe, expect, test } from 'vitest';
import { createGroups } from '../../src/calibrate/groups.js';
import type { Run } from '../../src/model/run.js';
import { passes, run } from '../builders.js';

function labelled(labels: Record<string, string>): Run {
  return run({ passes: passes(1), labels });
}

function counted(by: readonly string[], runs: readonly Run[]) {
  const groups = createGroups(by, () => ({ runs: 0 }));
  for (const each of runs) {
    const kept = groups.of(each);
    if (kept !== null) kept.runs += 1;
  }
  return groups.map((labels, kept) => [labels, kept.runs]);
}

describe('createGroups', () => {
  test('keeps one thing a combination, in the order the combinations are met', () => {
    const runs = [
      labelled({ model: 'large', task: 'b', run: 'left out' }),
      labelled({ model: 'small', task: 'a' }),
      labelled({ task: 'b', model: 'large' }),
      labelled({ model: 'large', task: 'a' }),
    ];
    expect(counted(['task', 'model'], runs)).toStrictEqual([
      [{ task: 'b', model: 'large' }, 2],
      [{ task: 'a', model: 'small' }, 1],
      [{ task: 'a', model: 'large' }, 1],
    ]);
  });

  test('a run without the label is a group of its own, apart from an empty and a written null', () => {
    const runs = [labelled({}), labelled({ model: 'null' }), labelled({ model: '' }), labelled({ task: 'a' })];
    expect(counted(['model'], runs)).toStrictEqual([
      [{ model: null }, 2],
      [{ model: 'null' }, 1],
      [{ model: '' }, 1],
    ]);
  });

  test('values that join to the same text stay apart', () => {
    const runs = [labelled({ a: 'x","y', b: 'z' }), labelled({ a: 'x', b: 'y","z' })];
    expect(counted(['a', 'b'], runs)).toStrictEqual([
      [{ a: 'x","y', b: 'z' }, 1],
      [{ a: 'x', b: 'y","z' }, 1],
    ]);
  });

  test('a label is any name, those of the language included', () => {
    const runs = [labelled(JSON.parse('{"__proto__":"p","constructor":"c"}')), labelled({})];
    const groups = createGroups(['__proto__', 'constructor'], () => 0);
    for (const each of runs) groups.of(each);
    expect(groups.map((labels) => Object.entries(labels))).toStrictEqual([
      [
        ['__proto__', 'p'],
        ['constructor', 'c'],
      ],
      [
        ['__proto__', null],
        ['constructor', null],
      ],
    ]);
  });

  test('without a label there are no groups, and nothing is opened', () => {
    const groups = createGroups([], () => expect.unreachable());
    expect(groups.of(labelled({ model: 'large' }))).toBeNull();
    expect(groups.map(() => 1)).toStrictEqual([]);
  });
});
