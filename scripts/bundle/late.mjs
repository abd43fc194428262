import * as crypto from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as timers from 'node:timers/promises';
import * as v8 from 'node:v8';
import * as zlib from 'node:zlib';

/** Parts of Node of which only functions are called. */
const PARTS = {
  'node:crypto': crypto,
  'node:fs/promises': fs,
  'node:os': os,
  'node:timers/promises': timers,
  'node:v8': v8,
  'node:zlib': zlib,
};

/** Modules of ours that take more than functions from them, and are loaded late themselves. */
const ASKS_MORE = /\/(?:block-worker|zip)\.[jt]s$/;

/**
 * What most runs of the program never need is loaded by the first call to it, while its callers read as if it were there.
 *
 * string-width makes its rules when it is loaded, which takes 25 to 35 ms, and plain text is measured without it.
 * node:crypto takes 7 ms, and the other parts of Node 1 to 2 ms each. Threads are for large files. Commander loads what
 * starts processes, and with it Node's network, for subcommands that are programs of their own, which there are none of:
 * 5 ms.
 */
export const late = {
  name: 'late',
  setup({ onResolve, onLoad }) {
    onResolve(
      { filter: /^(?:string-width|node:(?:crypto|fs\/promises|os|timers\/promises|v8|worker_threads|zlib))$/ },
      ({ path, kind, importer, resolveDir }) => {
        const isOurs = kind === 'import-statement' && !importer.includes('node_modules') && !ASKS_MORE.test(importer);
        return isOurs ? { path, namespace: 'late', pluginData: resolveDir } : undefined;
      },
    );
    onLoad({ filter: /.*/, namespace: 'late' }, ({ path, pluginData }) => ({
      contents: standIn(path),
      resolveDir: pluginData,
    }));
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('node_modules/commander/') ? { path: 'none', namespace: 'none' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** A module that passes every call on to the one of that name, loading it first. */
function standIn(name) {
  if (name === 'string-width') {
    return "export default (text) => require('string-width').default(text);";
  }
  if (name === 'node:worker_threads') {
    return "export function Worker(...given) { return new (require('node:worker_threads').Worker)(...given); }";
  }
  return Object.entries(PARTS[name])
    .filter(([key, value]) => typeof value === 'function' && /^[a-z]\w*$/.test(key))
    .map(([key]) => `export const ${key} = (...given) => require('${name}').${key}(...given);`)
    .join('\n');
}
