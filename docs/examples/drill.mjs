// Runs the loop of loop.mjs through the drill and writes what its callers got:
//   capfit drill --scenarios -o scenarios.json
//   node docs/examples/drill.mjs scenarios.json results.json
//   capfit drill --results results.json
import { readFileSync, writeFileSync } from 'node:fs';
import { runAgent } from './loop.mjs';
import { stubWorld } from './stub.mjs';

const [from, to] = process.argv.slice(2);
if (to === undefined) {
  console.error('usage: node docs/examples/drill.mjs scenarios.json results.json');
  console.error('       (capfit drill --scenarios -o scenarios.json writes the first, this the second)');
  process.exit(2);
}
const { scenarios } = JSON.parse(readFileSync(from, 'utf8'));

const results = [];
for (const scenario of scenarios) {
  const { world, seen } = stubWorld(scenario);
  await Promise.race([runAgent(scenario.policy, world), seen.death]);
  // What is on record is what there is to read, also where the process died.
  results.push({ scenario: scenario.id, report: seen.saved, tool_runs: seen.toolRuns });
}
writeFileSync(to, `${JSON.stringify(results, null, 2)}\n`);
