/**
 * The label of a run that may lack something: a part of the recording it was put together from (a line, a row, an entry
 * of a list) could not be read, and may have been the run's. Which part that was is told by its problem.
 */
export function damageLabel(isDamaged: boolean): { readonly damaged: true | null } {
  return { damaged: isDamaged || null };
}
