/** A SELECT and the names of its columns, to be selected from. */
export interface Layer {
  readonly sql: string;
  readonly columns: readonly string[];
  /** Sets of tools left out so far, each as one text: columns are named by their place here, since texts may be long. */
  readonly sets: readonly string[];
}

/** Expressions by the name of their column. */
export type Added = Readonly<Record<string, string>>;

/**
 * Columns beside those of a layer. They are named one by one, since a server of 2018 reads all that a star may mean, and
 * each layer has new names: to that server a name means the last thing called so, in its own expression too.
 */
export function layer(from: Layer, added: Added): Layer {
  const columns = [...from.columns, ...Object.keys(added)];
  return Object.keys(added).length === 0 ? from : { ...from, sql: selectSql(from.columns, added, from), columns };
}

/** Some columns of a layer, and new ones. */
export function chosen(from: Layer, kept: readonly string[], added: Added = {}): Layer {
  return { ...from, sql: selectSql(kept, added, from), columns: [...kept, ...Object.keys(added)] };
}

function selectSql(kept: readonly string[], added: Added, from: Layer): string {
  return `SELECT ${[...kept, ...aliasesOf(added)].join(', ')} FROM (${from.sql})`;
}

/** Expressions with their names. */
export function aliasesOf(added: Added): string[] {
  return Object.entries(added).map(([name, expression]) => `${expression} AS ${name}`);
}
