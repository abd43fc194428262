/** A part that so many commands need is loaded by all: to load 15 kB takes as long as to find and open one more file. */
const MANY = 6;

/**
 * Which parts are joined into one file, by the path of each. Whatever a part needs stands in its own group or in one
 * before it, so that no two files ask for each other.
 */
export function groupsOf({ outputs }, root) {
  const nameOf = (path) => path.replace(/^.*\//, '').replace(/(?:-[A-Z0-9]{8})?\.js$/, '');
  const partNamed = (name) => Object.keys(outputs).find((path) => nameOf(path) === name);
  const needed = (path, found = new Set()) => {
    if (found.has(path) || outputs[path] === undefined) return found;
    found.add(path);
    for (const { path: next, kind } of outputs[path].imports) if (kind === 'import-statement') needed(next, found);
    return found;
  };
  const commandLine = partNamed('command-line');
  const commands = outputs[commandLine].imports
    .filter(({ kind }) => kind === 'dynamic-import')
    .map(({ path }) => needed(path));
  const count = (path) => commands.filter((parts) => parts.has(path)).length;
  const many = Object.keys(outputs).filter((path) => count(path) >= MANY);
  const groups = new Map();
  for (const [name, paths] of [
    ['start', [...needed(partNamed('bin')), ...needed(partNamed('main')), ...needed(partNamed('io'))]],
    ['reading', needed(partNamed('block-worker'))],
    ['commands', needed(commandLine)],
    ['shared', many],
  ]) {
    for (const path of paths) {
      // What is loaded by its own name keeps its own file.
      const isEntry = outputs[path].entryPoint !== undefined;
      if (!isEntry && !groups.has(`${root}/${path}`)) groups.set(`${root}/${path}`, name);
    }
  }
  return groups;
}
