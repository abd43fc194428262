// An agent loop that obeys a guard: it asks before every model call and every tool, and tells what happened. The guard
// only decides; calling the model, running tools and the check, waiting and keeping records are the loop's own work.
import { createGuard } from 'capfit/guard';

const SUM_UP = { role: 'user', content: 'The run was stopped. Sum up what was done and what is open.' };

/**
 * Runs an agent until it is done or has to stop.
 *
 * @param policy the content of a policy file
 * @param world  `task`, `model(messages, {mayCallTools})`, `tool(call)`, `check(answer)`, `work()`, `isCanceled()`, `save(record)`,
 *               `now()` in milliseconds, `sleep(milliseconds, signal)`, `transcriptId`
 * @returns the report: one envelope, whatever the exit
 */
export async function runAgent(policy, world) {
  const guard = createGuard(policy, { now: world.now, transcriptId: world.transcriptId });
  const messages = [{ role: 'user', content: world.task }];
  let exit = guard.beforeCall();
  while (exit === null) {
    // What is on record if the process dies: a run that is still `running`.
    world.save(guard.report());
    exit = (await onePass(guard, policy, world, messages)) ?? guard.beforeCall();
  }
  if (guard.mayWrapUp()) await sumUp(guard, world, messages);
  const report = guard.finish();
  world.save(report);
  return report;
}

/** One model call and what it sets off; gives the exit, or `null` to go on. */
async function onePass(guard, policy, world, messages) {
  try {
    const reply = await inTime(world, world.model(messages), policy.timeouts?.model_call, 'model_timeout');
    guard.charge(reply.usage);
    messages.push({ role: 'assistant', content: reply });
    if (world.isCanceled()) return guard.cancel();
    const exit = await runTools(guard, policy, world, messages, reply.calls);
    guard.keep(world.work());
    return exit ?? (await hearClaim(guard, world, messages, reply.claim));
  } catch (error) {
    // The model call failed, or something that nobody foresaw: nothing that the model could mend.
    return guard.halt(error.errorClass ?? 'loop_error');
  }
}

async function runTools(guard, policy, world, messages, calls = []) {
  for (const call of calls) {
    const exit = guard.beforeDispatch(call);
    if (exit !== null) return exit;
    const running = inTime(world, world.tool(call), policy.timeouts?.tool, 'tool_timeout');
    const { result, error, errorClass } = await outcomeOf(running);
    const warning = guard.observe(call, result, { error });
    const decision = errorClass === null ? null : guard.fail(errorClass, result);
    if (decision?.exit) return decision.exit;
    messages.push({ role: 'tool', content: decision?.feedBack ?? result });
    if (warning !== null) messages.push({ role: 'user', content: warning.message });
  }
  return null;
}

/** "Done", "blocked" or "impossible" is what the agent says; whether it is an exit, the guard says. */
async function hearClaim(guard, world, messages, claim) {
  if (claim === undefined) return null;
  let decision = guard.claim(claim.kind, claim.evidence);
  if (decision.needsCheck) decision = guard.verify(await world.check(claim.evidence));
  if (decision.feedBack !== null) messages.push({ role: 'user', content: decision.feedBack });
  return decision.exit;
}

/** What a tool brought; a failure is a result too. */
async function outcomeOf(running) {
  try {
    return { result: await running, error: false, errorClass: null };
  } catch (error) {
    return { result: error.message, error: true, errorClass: error.errorClass ?? 'tool_error' };
  }
}

/** One call after a stop, without tools; the report is as good without it. */
async function sumUp(guard, world, messages) {
  try {
    const { text, usage } = await world.model([...messages, SUM_UP], { mayCallTools: false });
    guard.wrapUp(text, usage);
  } catch {}
}

/** What hangs must not hang the loop: no cap is asked meanwhile. */
async function inTime(world, running, seconds, errorClass) {
  if (seconds === undefined) return running;
  const done = new AbortController();
  const late = world.sleep(seconds * 1000, done.signal).then(() => {
    throw Object.assign(new Error(`no result within ${seconds} s`), { errorClass });
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    done.abort();
  }
}
