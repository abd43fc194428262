import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ANSWERED, type Outcome } from './cap-suite.js';

/** A chat model of LangChain that asks for a tool until its `answersAt`-th call. */
export class StubChat extends BaseChatModel {
  calls = 0;
  readonly #answersAt: number;

  constructor(answersAt: number) {
    super({});
    this.#answersAt = answersAt;
  }

  _llmType(): string {
    return 'stub';
  }

  override bindTools(): this {
    return this;
  }

  async _generate() {
    const id = `call-${++this.calls}`;
    const message =
      this.calls >= this.#answersAt
        ? new AIMessage('done')
        : new AIMessage({ content: '', tool_calls: [{ name: 'look', args: {}, id, type: 'tool_call' }] });
    return { generations: [{ text: '', message }] };
  }
}

interface State {
  readonly messages: readonly { readonly content: unknown }[];
}

/** Runs a graph on the stub, whatever made it. */
export async function runGraph(
  answersAt: number,
  invoke: (model: StubChat, look: ReturnType<typeof makeTool>) => Promise<unknown>,
): Promise<Outcome> {
  const seen = { tools: 0 };
  const model = new StubChat(answersAt);
  const look = makeTool(() => `seen ${++seen.tools}`);
  const outcome = (end: string): Outcome => ({ calls: model.calls, tools: seen.tools, end });
  try {
    const state = (await invoke(model, look)) as State;
    const last = state.messages.at(-1)?.content;
    return outcome(last === 'done' ? ANSWERED : `answer: ${JSON.stringify(last)}`);
  } catch (error) {
    return outcome((error as Error).name);
  }
}

function makeTool(look: () => string) {
  return tool(look, { name: 'look', description: 'Looks.', schema: { type: 'object', properties: {} } });
}
