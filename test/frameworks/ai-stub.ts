import { MockLanguageModelV3 } from 'ai/test';

/** A model of the AI SDK that asks for a tool until its `answersAt`-th call; 15 tokens a call. */
export function stubModel(answersAt: number): {
  readonly model: MockLanguageModelV3;
  readonly seen: { calls: number };
} {
  const seen = { calls: 0 };
  const next = () => {
    const isDone = ++seen.calls >= answersAt;
    return { isDone, toolCallId: `call-${seen.calls}` };
  };
  const model = new MockLanguageModelV3({
    doGenerate: async () => {
      const { isDone, toolCallId } = next();
      return {
        content: [
          isDone ? { type: 'text', text: 'done' } : { type: 'tool-call', toolCallId, toolName: 'look', input: '{}' },
        ],
        finishReason: finishReason(isDone),
        usage: USAGE,
        warnings: [],
      };
    },
    doStream: async () => {
      const { isDone, toolCallId } = next();
      const parts = isDone
        ? ([
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: 'done' },
            { type: 'text-end', id: 't' },
          ] as const)
        : ([{ type: 'tool-call', toolCallId, toolName: 'look', input: '{}' }] as const);
      return {
        stream: streamOf([
          { type: 'stream-start', warnings: [] },
          ...parts,
          { type: 'finish', finishReason: finishReason(isDone), usage: USAGE },
        ]),
      };
    },
  });
  return { model, seen };
}

const USAGE = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

function finishReason(isDone: boolean) {
  return isDone ? ({ unified: 'stop', raw: 'stop' } as const) : ({ unified: 'tool-calls', raw: 'tool_calls' } as const);
}

function streamOf<Part>(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
