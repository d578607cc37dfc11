import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { ownPrograms, StartError } from '../kernel/common';
import type { Settings } from '../kernel/config';

const INSTALL =
  'and start with it: SANDBOX_DRIVER=process AGENT_SERVER_COMMAND="$(npm run --silent agent-server:install)" npm start';
/** Where the script that installs it is not. */
const NAME =
  '(docs/agent-servers.md says which versions work), and set AGENT_SERVER_COMMAND to the path of its program.';

/**
 * Fails the start of a service whose sandboxes of `process` would have no program to run.
 * @throws StartError
 */
export function checkAgentServerProgram(settings: Settings): void {
  const { SANDBOX_DRIVER, APP_ROLE, AGENT_SERVER_COMMAND } = settings;
  if (SANDBOX_DRIVER !== 'process' || APP_ROLE === 'api') return;
  const [program = ''] = AGENT_SERVER_COMMAND.split(' ').filter((part) => part !== '');
  if (programFile(program) !== undefined) return;
  const where = program.includes('/') ? `no program at ${program}` : `no program ${program} in PATH`;
  throw new StartError(
    `AGENT_SERVER_COMMAND: there is ${where}, which SANDBOX_DRIVER=process starts for each sandbox. ` +
      `Install the agent server ${ownPrograms().hasScripts ? INSTALL : NAME}`,
  );
}

/**
 * The file of a program, or undefined.
 * @param name or path: one that is not absolute leads nowhere, as a program is started in the folder of its sandbox
 */
export function programFile(name: string): string | undefined {
  const isName = !name.includes('/');
  const folders = isName ? (process.env.PATH ?? '').split(delimiter).filter(isAbsolute) : [''];
  const files = folders.map((folder) => join(folder, name));
  return isName || isAbsolute(name) ? files.find(isProgram) : undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
