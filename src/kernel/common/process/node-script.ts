import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A script to run in a worker thread or a child process, and the Node options it needs. */
export interface NodeScript {
  readonly path: string;
  readonly execArgv: readonly string[];
}

/**
 * Finds the script `name` in a folder: the compiled one, or, where the service runs from its sources, as benchmarks
 * run it, the source with a hook that compiles it.
 */
export function findNodeScript(folder: string, name: string): NodeScript {
  const built = join(folder, `${name}.js`);
  if (existsSync(built)) return { path: built, execArgv: [] };
  const register = createRequire(__filename).resolve('@swc-node/register');
  return { path: join(folder, `${name}.ts`), execArgv: ['-r', register] };
}
