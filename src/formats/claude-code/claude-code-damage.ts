import type { Session, Thread } from './claude-code-session.js';

/*
 * Whose a line may have been that could not be read: its session's, or the sub-agent's that wrote the line before it; in
 * the file of a sub-agent the sub-agent's. Of a conversation it is the request at work then, which also takes in what
 * follows if the line was the next request; where none was, the first one.
 */

/** Begins another file of a session. */
export function openFile(session: Session): void {
  session.latest = null;
  session.isDamaged = false;
}

/** Notes to which thread a line belongs. */
export function enterThread(session: Session, thread: Thread): Thread {
  if (session.isDamaged) damage(thread);
  session.isDamaged = false;
  session.latest = thread;
  return thread;
}

/**
 * Notes that a line could not be read, or not in full.
 *
 * @param isOwn whether the file in hand is the session's own, and not that of a sub-agent
 */
export function noteDamage(session: Session, isOwn: boolean): void {
  const { latest, main } = session;
  if (latest === null) session.isDamaged = true;
  else damage(latest);
  if (isOwn && latest !== null && latest !== main) damage(main);
}

/** Takes back the last request, of which nothing came; what it may lack, the next one may. */
export function dropRequest(thread: Thread): void {
  if (thread.requests.pop()?.isDamaged) thread.isDamaged = true;
}

function damage(thread: Thread): void {
  const request = thread.requests.at(-1);
  if (request === undefined) thread.isDamaged = true;
  else request.isDamaged = true;
}
