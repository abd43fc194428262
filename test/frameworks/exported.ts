import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformWithEsbuild } from 'vite';
import { exportPolicy } from '../../src/exporters/export-policy.js';
import type { Export } from '../../src/exporters/exporter.js';
import { findExporter } from '../../src/exporters/index.js';
import type { Policy } from '../../src/policy/policy.js';

const MODULES = join(import.meta.dirname, 'node_modules');

/** Why these tests cannot run, or `null`: the frameworks are installed apart from the project's own packages. */
export const NOT_INSTALLED = existsSync(MODULES) ? null : 'run npm run frameworks first';

/** An export, and its snippet as a module, run word for word with the real package behind its imports. */
export interface Exported<Module> extends Export {
  readonly module: Module;
}

/** Exports a policy and loads the snippet. */
export async function exported<Module>(id: string, policy: Policy): Promise<Exported<Module>> {
  const exporter = findExporter(id);
  if (exporter === null) throw new Error(`no exporter ${id}`);
  const value = exportPolicy(exporter, policy);
  const { code } = await transformWithEsbuild(value.text, `${id}.ts`, { sourcemap: false });
  const folder = join(MODULES, '.capfit');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${id}-${digest(value.text)}.mjs`);
  writeFileSync(file, code);
  const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Module;
  return { ...value, module };
}

function digest(text: string): string {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash.toString(16);
}
