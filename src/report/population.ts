import { populationName, VERIFIED } from '../calibrate/population.js';
import { type Block, strong } from './blocks.js';

/** The population of a report that nobody changed. */
const USUAL = populationName(VERIFIED);

/** The words for the runs that percentiles and false stops are taken over. */
export function successes(population: string): string {
  return population === USUAL ? 'verified successes' : `successes (${population})`;
}

/** The same for a single one. */
export function success(population: string): string {
  return population === USUAL ? 'verified success' : `success (${population})`;
}

/** Says so when the population is not every verified success; stands on top of every output. */
export function populationBlocks(population: string): Block[] {
  if (population === USUAL) return [];
  const doubt = population.startsWith('claimed') ? " Some of these successes are the agent's word only." : '';
  return [strong(`Population: ${population}.${doubt}`)];
}
