import { claudeCode } from './claude-code/claude-code.js';
import { claudeStreamJson } from './claude-code/claude-stream-json.js';
import { codex } from './codex/codex.js';
import type { Format } from './format.js';
import { atif } from './harbor/atif.js';
import { harbor } from './harbor/harbor.js';
import { openclaw } from './harbor/openclaw.js';
import { terminalBench } from './harbor/terminal-bench.js';
import { inspect } from './inspect/inspect.js';
import { openaiAgents } from './openai-agents/openai-agents.js';
import { openhands } from './openhands/openhands.js';
import { openhandsCompletions } from './openhands/openhands-completions.js';
import { detectAmong, OWN_FORMATS } from './own.js';
import { langfuse } from './spans/langfuse.js';
import { langsmith } from './spans/langsmith.js';
import { otlp } from './spans/otlp.js';
import { phoenix } from './spans/phoenix.js';
import { vercelAi } from './spans/vercel-ai.js';
import { miniSweAgent } from './swe-agent/mini-swe-agent.js';
import { sweAgent } from './swe-agent/swe-agent.js';
import { tauBench } from './tau-bench/tau-bench.js';
import { tau2 } from './tau-bench/tau2.js';

/** Every kind of input that can be read, in the order in which they are asked whether a file is theirs. */
export const FORMATS: readonly Format[] = [
  ...OWN_FORMATS,
  claudeCode,
  claudeStreamJson,
  codex,
  sweAgent,
  miniSweAgent,
  openhands,
  openhandsCompletions,
  inspect,
  harbor,
  atif,
  openclaw,
  terminalBench,
  tauBench,
  tau2,
  langfuse,
  langsmith,
  otlp,
  phoenix,
  openaiAgents,
  vercelAi,
];

/** Characters of a line by which it is told: what formats have in their first keys. */
const LINE_HEAD = 65_536;

/** The first format that claims the head of a file, or `null`. */
export function detectFormat(head: Uint8Array): Format | null {
  return detectAmong(FORMATS, head);
}

/** The id of the first format that claims a line by itself, or `null`: what a `Source` is given as `formatOf`. */
export function formatOfLine(line: string): string | null {
  const head = line.slice(0, LINE_HEAD);
  return FORMATS.find((format) => format.detect(head))?.id ?? null;
}

/** The format of that id, or `null`. */
export function findFormat(id: string): Format | null {
  return FORMATS.find((format) => format.id === id) ?? null;
}
