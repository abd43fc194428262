import {
  type Caps,
  completeOrder,
  EMPTY_POLICY,
  type OrderEntry,
  PLAIN_ERRORS,
  PLAIN_IDLE,
  PLAIN_REPEAT,
  PLAIN_STALE,
  type Policy,
  type Rule,
} from './policy.js';

/** A policy that others have published or shipped, as far as this rule language says it. */
export interface Preset {
  readonly name: string;
  /** What it stands for, in one sentence. */
  readonly standsFor: string;
  /** What of the original is not replayed; `null`: nothing. */
  readonly leavesOut: string | null;
  /** Whether its caps are to be derived from the runs at hand. */
  readonly derivesCaps: boolean;
  readonly policy: Policy;
}

const MICROS = 1_000_000;

interface Setting {
  readonly caps?: Caps;
  readonly order?: readonly OrderEntry[];
  readonly rules?: readonly Rule[];
  readonly stepsAt?: Policy['stepsAt'];
}

function preset(name: string, standsFor: string, leavesOut: string | null, setting: Setting): Preset {
  const { order = [], ...rest } = setting;
  const policy = { ...EMPTY_POLICY, ...rest, name, order: completeOrder(order) };
  return { name, standsFor, leavesOut, derivesCaps: false, policy };
}

/** The stop policies of four published texts. */
const PUBLISHED: readonly Preset[] = [
  {
    ...preset(
      'three-exits',
      'Caps derived from verified successes, and a stop at the third identical call with an identical result.',
      null,
      { order: ['passes', 'tokens', 'seconds', 'usd', 'rules'], rules: [PLAIN_REPEAT] },
    ),
    derivesCaps: true,
  },
  preset(
    'four-guards',
    'Twelve passes and 60,000 tokens, and a stop at the third identical observation in a row, asked first.',
    'Its listing stops at a fourth identical observation and its log at the third: the log is followed. Tools that declare themselves pollable are not exempt unless you name them.',
    {
      caps: { passes: 12, tokens: 60_000 },
      order: ['rules', 'tokens', 'passes'],
      rules: [{ ...PLAIN_REPEAT, key: 'result' }],
    },
  ),
  preset(
    'six-conditions',
    'Four caps, no fourth identical request in the whole run, and no four calls in a row without a new result.',
    null,
    {
      caps: { passes: 25, tokens: 400_000, usd: 2 * 1_000_000_000, seconds: 600 * MICROS },
      order: ['passes', 'tokens', 'usd', 'seconds', 'rules'],
      rules: [
        { ...PLAIN_REPEAT, key: 'request', count: 4, scope: 'run', when: 'before_dispatch' },
        { ...PLAIN_STALE, count: 4 },
      ],
    },
  ),
  preset(
    'eight-turns',
    'Eight turns, 64 steps judged before each tool call as well, 8,000 tokens, two minutes.',
    null,
    {
      caps: { passes: 8, steps: 64, tokens: 8_000, seconds: 120 * MICROS },
      order: ['seconds', 'passes', 'steps', 'tokens'],
      stepsAt: 'dispatch',
    },
  ),
];

/** What stuck and loop detectors in the wild stop at. */
const DETECTORS: readonly Preset[] = [
  preset(
    'openhands',
    'The stuck detector of OpenHands: four identical actions with identical observations, A,B,A,B,A,B, or three passes that only talk.',
    'Three equal actions whose observations are errors, and condensations without anything between them. Command observations are compared whole, not by command and exit code alone; the history is not cut at a message of the user.',
    {
      rules: [
        { ...PLAIN_REPEAT, name: 'action_observation', count: 4 },
        { ...PLAIN_REPEAT, name: 'alternating', count: 3, period: 2, minPeriod: 2 },
        { ...PLAIN_IDLE, name: 'monologue' },
      ],
    },
  ),
  preset(
    'gemini-cli',
    'The loop service of Gemini CLI: a block of one to five requests repeated five times in a row, whatever comes back.',
    'Repeated chunks of text, and the judgement of a model. Argument keys are compared in sorted order, as the original does not.',
    { rules: [{ ...PLAIN_REPEAT, key: 'request', count: 5, period: 5 }] },
  ),
  preset(
    'cline',
    'The hard limit of the loop detection of Cline: the fifth identical request in a row.',
    'The warning at the third, which only adds a text; the count of mistakes.',
    { rules: [{ ...PLAIN_REPEAT, key: 'request', count: 5 }] },
  ),
  preset(
    'roo',
    'The repetition detector of Roo Code: the fourth identical request in a row is not run.',
    'The original asks its user and starts to count anew; here it is a stop. Its count of mistakes.',
    { rules: [{ ...PLAIN_REPEAT, key: 'request', count: 4, when: 'before_dispatch' }] },
  ),
  preset(
    'crewai',
    'CrewAI: a request like the one just before is not run.',
    'The original answers the model with a text and goes on; here it is a stop.',
    { rules: [{ ...PLAIN_REPEAT, key: 'request', count: 2, when: 'before_dispatch' }] },
  ),
  preset(
    'opencode',
    'The doom loop of opencode: three identical requests in a row.',
    'The original looks inside one message only, and asks its user; here a streak may cross messages.',
    { rules: [{ ...PLAIN_REPEAT, key: 'request', count: 3 }] },
  ),
  preset(
    'openclaw',
    'The loop detection of OpenClaw at its critical threshold: twenty identical requests in a row, or twenty alternations.',
    'The warning at ten, the separate detector of known polling tools, and the global circuit breaker.',
    {
      rules: [
        { ...PLAIN_REPEAT, key: 'request', count: 20 },
        { ...PLAIN_REPEAT, name: 'ping_pong', key: 'request', count: 20, period: 2, minPeriod: 2 },
      ],
    },
  ),
  preset(
    'deepeval',
    'The loop metric of DeepEval where it scores a half: the third identical request anywhere in the run.',
    'The original scores a finished run and stops nothing; its likeness of texts and its cycles of agents.',
    { rules: [{ ...PLAIN_REPEAT, key: 'request', count: 3, scope: 'run' }] },
  ),
  preset(
    'swe-agent',
    'SWE-agent and mini-swe-agent give up after three failures in a row: timeouts of commands there, malformed answers here.',
    'Which kind of failure it was: every failed call counts.',
    { rules: [PLAIN_ERRORS] },
  ),
];

export const PRESETS: readonly Preset[] = [...PUBLISHED, ...DETECTORS];

export function findPreset(name: string): Preset | null {
  return PRESETS.find((each) => each.name === name) ?? null;
}
