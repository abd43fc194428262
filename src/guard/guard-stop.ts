import type { Exit } from './report.js';

/** Thrown by an adapter where its framework leaves no quieter way to keep a call from being made. */
export class GuardStop extends Error {
  override readonly name = 'GuardStop';
  readonly exit: Exit;

  constructor(exit: Exit) {
    super(exit.message);
    this.exit = exit;
  }
}
