import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A script for a thread or a process of its own, and what Node needs to run it. */
export interface NodeScript {
  readonly path: string;
  readonly execArgv: readonly string[];
}

/** Finds the script `name` in a folder; from the sources, as tests run, it has to compile itself. */
export function findNodeScript(folder: string, name: string): NodeScript {
  const built = join(folder, `${name}.js`);
  if (existsSync(built)) return { path: built, execArgv: [] };
  const register = createRequire(__filename).resolve('@swc-node/register');
  return { path: join(folder, `${name}.ts`), execArgv: ['-r', register] };
}
