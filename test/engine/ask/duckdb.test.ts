import { describe } from 'vitest';
import { openDuckDbLink } from '../ask-duckdb/stage-runs.js';
import { hasClient, NEEDS_CLIENT } from '../client.js';
import { answersAsMemory } from './answers-as-memory.js';

describe.skipIf(!hasClient)(`DuckDB answers as memory does (${NEEDS_CLIENT})`, () => {
  answersAsMemory(openDuckDbLink, 60);
});
