// A world for `runAgent` that plays a script (docs/drill.md): model, tools, check and clock are stubs, and time is
// virtual, so that every exit can be run on purpose, in no time and without a bill.

/** The world of a scenario, and what it saw. */
export function stubWorld({ script, repeat_last_turn: repeats = false, wrap_up: wrapUp, id = 'stub' }) {
  let died = () => {};
  const death = new Promise((resolve) => {
    died = resolve;
  });
  const seen = { saved: null, toolRuns: 0, death };
  let millis = 0;
  let turn = null;
  let tools = [];
  let work = null;
  let made = 0;

  const world = {
    task: 'Refund order 17.',
    transcriptId: `transcript of ${id}`,
    now: () => millis,
    save: (record) => {
      seen.saved = record;
    },
    isCanceled: () => turn?.cancel === true,
    work: () => work,
    check: () => turn.check,

    async model(_messages, { mayCallTools = true } = {}) {
      if (!mayCallTools) return { text: wrapUp.text, usage: usageOf(wrapUp) };
      turn = script[Math.min(made, repeats ? script.length - 1 : made)];
      if (turn === undefined) throw failure('script_over', 'the loop goes on where it had to end');
      made++;
      tools = [...(turn.tools ?? [])];
      millis += (turn.model.seconds ?? 1) * 1000;
      if (turn.dies) {
        died();
        // No code of the loop runs any more: what it waits for never comes.
        return new Promise(() => {});
      }
      if (turn.model.error_class !== undefined) throw failure(turn.model.error_class, 'the model call failed');
      if (tools.length === 0) work = turn.work ?? work;
      return { text: turn.model.text, usage: usageOf(turn.model), calls: turn.model.tool_calls, claim: claimOf(turn) };
    },

    async tool() {
      seen.toolRuns++;
      const { result, error, error_class: errorClass, hangs } = tools.shift();
      if (tools.length === 0) work = turn.work ?? work;
      if (hangs) return new Promise(() => {});
      if (error) throw failure(errorClass, result);
      return result;
    },

    /** Virtual: it is over as soon as nothing else happens, unless it is called off before. */
    sleep: (waiting, signal) =>
      new Promise((resolve) => {
        setImmediate(() => {
          if (signal.aborted) return;
          millis += waiting;
          resolve();
        });
      }),
  };
  return { world, seen };
}

function claimOf({ model }) {
  const kind = ['answer', 'blocked', 'impossible'].find((each) => Object.hasOwn(model, each));
  return kind === undefined ? undefined : { kind, evidence: model[kind] };
}

function usageOf({ usage, usd }) {
  return { inputTokens: usage?.input_tokens ?? null, outputTokens: usage?.output_tokens ?? null, usd };
}

function failure(errorClass, message) {
  return Object.assign(new Error(message), { errorClass });
}
