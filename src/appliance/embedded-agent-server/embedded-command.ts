import { findNodeScript } from '../../kernel/common';

/**
 * What starts an embedded agent server as a process of its own; flags and environment are those of the real
 * one (`--host`, `--port`, `OH_*`), and the folder it is started in is the sandbox.
 */
export function embeddedAgentServerCommand(): { command: string; args: string[] } {
  const { path, execArgv } = findNodeScript(__dirname, 'main');
  return { command: process.execPath, args: [...execArgv, path] };
}
