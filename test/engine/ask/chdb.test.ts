import { afterAll, describe } from 'vitest';
import { closeChdb, hasChdb, NEEDS_CHDB, openChdbLink } from '../ask-clickhouse/chdb.js';
import { answersAsMemory } from './answers-as-memory.js';

describe.skipIf(!hasChdb)(`ClickHouse, as chDB embeds it, answers as memory does (${NEEDS_CHDB})`, () => {
  afterAll(closeChdb);
  answersAsMemory(openChdbLink, 4);
});
