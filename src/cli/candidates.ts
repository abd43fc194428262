import { basename } from 'node:path';
import { nearest } from '../formats/nearest.js';
import { textToAtoms } from '../model/atoms.js';
import { compare, type Fraction } from '../model/decimal.js';
import { isLimitName, LIMITS, type LimitName } from '../model/limits.js';
import type { Policy, Rule } from '../policy/policy.js';
import type { NamedPolicy } from '../replay/whatif.js';
import { edited, scaled } from '../replay/whatif-edit.js';
import { usageError } from './errors.js';
import { decimalIn } from './numbers.js';
import { cutAtEqualsSign } from './options.js';
import { loadPolicy } from './policy-option.js';
import { ruleOption } from './rule-option.js';

/** What was typed of candidates; every list may be missing. */
export interface CandidateFlags {
  /** Together with the rules one candidate. */
  readonly set?: readonly string[];
  readonly addRule?: readonly string[];
  readonly removeRule?: readonly string[];
  /** Each a candidate. */
  readonly candidate?: readonly string[];
  readonly scale?: readonly string[];
  readonly with?: readonly string[];
}

/** Candidates as typed, before today's policy is known. */
export interface TypedCandidates {
  readonly count: number;
  /** @throws CommandError where an edit does not fit the policy */
  of(today: Policy): NamedPolicy[];
}

/**
 * Reads everything that was typed of candidates, so that a fault in it is told before the runs are read.
 *
 * @throws CommandError that names what is wrong
 */
export async function readCandidates(flags: CandidateFlags): Promise<TypedCandidates> {
  const makers = [
    ...(await editMakers(flags)),
    ...(flags.candidate ?? []).map((text) => capsMaker('--candidate', [text])),
    ...(flags.scale ?? []).map(scaleMaker),
    ...(await Promise.all((flags.with ?? []).map(fileMaker))),
  ];
  return { count: makers.length, of: (today) => makers.map((make) => make(today)) };
}

type Maker = (today: Policy) => NamedPolicy;

async function editMakers({ set = [], addRule = [], removeRule = [] }: CandidateFlags): Promise<Maker[]> {
  if (set.length + addRule.length + removeRule.length === 0) return [];
  const caps = capSettings('--set', set);
  const rules: readonly Rule[] = await Promise.all(addRule.map(ruleOption));
  const name = [
    ...set.flatMap(partsOf),
    ...removeRule.map((rule) => `without ${rule}`),
    ...addRule.map((rule) => `with ${rule}`),
  ].join(', ');
  return [
    (today) => {
      checkRules(today, rules, removeRule);
      return { name, policy: edited(today, { caps, addRules: rules, removeRules: removeRule }) };
    },
  ];
}

/** What `edited` would refuse, told with what to do about it. */
function checkRules(today: Policy, added: readonly Rule[], removed: readonly string[]): void {
  const names = today.rules.map(({ name }) => name);
  for (const name of removed) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    throw usageError(
      `--remove-rule ${name}: today's policy has no such rule`,
      names.length === 0
        ? 'it has no rules at all'
        : `${near === null ? '' : `did you mean ${near}? `}Its rules: ${names.join(', ')}`,
    );
  }
  const kept = names.filter((name) => !removed.includes(name));
  for (const [index, { name }] of added.entries()) {
    if (!kept.includes(name) && added.findIndex((other) => other.name === name) === index) continue;
    throw usageError(
      `--add-rule: two rules would be named ${name}`,
      `name the new one, as in name=${name}2; or take the other out with --remove-rule ${name}`,
    );
  }
}

function capsMaker(flag: string, texts: readonly string[]): Maker {
  const caps = capSettings(flag, texts);
  const name = texts.flatMap(partsOf).join(', ');
  return (today) => ({ name, policy: edited(today, { caps, addRules: [], removeRules: [] }) });
}

function partsOf(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

/** `passes=20,tokens=none` as ceilings in atoms, `null` for none. */
function capSettings(flag: string, texts: readonly string[]): { [limit in LimitName]?: number | null } {
  const caps: { [limit in LimitName]?: number | null } = {};
  for (const text of texts) {
    for (const part of partsOf(text)) {
      const [name, value] = cutAtEqualsSign(part);
      const limit = limitNamed(flag, text, part, name);
      if (caps[limit] !== undefined) {
        throw usageError(
          `${flag} ${text}: ${limit} is set twice in one candidate`,
          `--candidate ${part} makes another one`,
        );
      }
      caps[limit] = value === 'none' ? null : capAtoms(flag, text, limit, value);
    }
  }
  return caps;
}

function limitNamed(flag: string, text: string, part: string, name: string): LimitName {
  if (isLimitName(name)) return name;
  const near = nearest(name, LIMITS);
  throw usageError(
    `${flag} ${text}: ${part === '' ? 'a part is empty' : `${part} sets no cap`}`,
    `${near === null ? '' : `did you mean ${near}? `}For instance ${flag} passes=20,tokens=none; caps: ${LIMITS.join(', ')}. Rules: --add-rule, --remove-rule`,
  );
}

/** A ceiling above zero; digits may be parted by `_`. */
function capAtoms(flag: string, text: string, limit: LimitName, value: string): number {
  const atoms = /^_|__|_$/.test(value) ? null : textToAtoms(limit, value.trim().replaceAll('_', ''));
  if (atoms !== null && atoms > 0) return atoms;
  const kind = limit === 'seconds' || limit === 'usd' ? 'a number above 0' : 'a whole number above 0';
  throw usageError(
    `${flag} ${text}: ${value === '' ? `${limit} has no value` : `${value} is no cap on ${limit}`}`,
    `${kind}, or none for no cap`,
  );
}

const LARGEST_SCALE: Fraction = { num: 1000n, den: 1n };

function scaleMaker(text: string): Maker {
  const isPercent = text.endsWith('%');
  const typed = decimalIn(text.replace(/%$/, ''));
  const factor = typed !== null && isPercent ? { num: typed.num, den: typed.den * 100n } : typed;
  if (factor === null || factor.num <= 0n || compare(factor, LARGEST_SCALE) > 0) {
    throw usageError(
      `--scale ${text}: not a factor above 0, and up to 1000`,
      'for instance --scale 0.8, or --scale 80%',
    );
  }
  return (today) => {
    if (Object.keys(today.caps).length === 0) {
      throw usageError(
        `--scale ${text}: today's policy has no caps to scale`,
        'set them, for instance --set passes=20',
      );
    }
    try {
      return { name: `caps x ${text}`, policy: scaled(today, factor) };
    } catch (error) {
      if (error instanceof RangeError) throw usageError(`--scale ${text}: ${error.message}`, 'a smaller factor');
      throw error;
    }
  };
}

async function fileMaker(path: string): Promise<Maker> {
  const policy = await loadPolicy(path);
  return () => ({ name: policy.name === null ? basename(path) : `${policy.name} (${basename(path)})`, policy });
}
