import { autogen } from './autogen.js';
import { claudeAgentSdk } from './claude-agent-sdk.js';
import { crewai } from './crewai.js';
import { env } from './env.js';
import type { Exporter } from './exporter.js';
import { geminiCli } from './gemini-cli.js';
import { googleAdk } from './google-adk.js';
import { inspect } from './inspect.js';
import { json } from './json.js';
import { langchain } from './langchain.js';
import { langgraph } from './langgraph.js';
import { mastra } from './mastra.js';
import { miniSweAgent } from './mini-swe-agent.js';
import { openaiAgentsJs } from './openai-agents-js.js';
import { openaiAgentsPy } from './openai-agents-py.js';
import { openhands } from './openhands.js';
import { pydanticAi } from './pydantic-ai.js';
import { smolagents } from './smolagents.js';
import { strands } from './strands.js';
import { sweAgent } from './swe-agent.js';
import { vercelAi } from './vercel-ai.js';

/** All targets, in the order in which they are listed. */
export const EXPORTERS: readonly Exporter[] = [
  openaiAgentsPy,
  openaiAgentsJs,
  langgraph,
  langchain,
  vercelAi,
  mastra,
  autogen,
  crewai,
  pydanticAi,
  smolagents,
  claudeAgentSdk,
  googleAdk,
  strands,
  miniSweAgent,
  sweAgent,
  openhands,
  inspect,
  geminiCli,
  json,
  env,
];

/** The target of that name, or `null`. */
export function findExporter(id: string): Exporter | null {
  return EXPORTERS.find((each) => each.id === id) ?? null;
}
