import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * What starts an embedded agent server as a process of its own; flags and environment are those of the real
 * one (`--host`, `--port`, `OH_*`), and the folder it is started in is the sandbox.
 */
export function embeddedAgentServerCommand(): { command: string; args: string[] } {
  const main = join(__dirname, 'main.js');
  if (existsSync(main)) return { command: process.execPath, args: [main] };
  // From the sources, as tests run: the process has to compile them itself.
  const register = createRequire(__filename).resolve('@swc-node/register');
  return { command: process.execPath, args: ['-r', register, join(__dirname, 'main.ts')] };
}
