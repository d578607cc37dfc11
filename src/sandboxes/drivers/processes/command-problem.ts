import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '../../../common';
import type { DriverProblem } from '../../record/sandbox-driver';
import { inheritedEnvironment } from '../agent-server-environment';

/** Python loads much before it says what it can do. */
const ANSWER_MS = 60_000;

/**
 * Why the program of agent servers cannot be run, or null.
 * @param command with its arguments; asked for help only, with as little of this process's environment as a sandbox has
 * @param setting that names it
 * @param environment variables in addition
 */
export async function commandProblem(
  command: readonly string[],
  setting: string,
  environment: Readonly<Record<string, string>>,
): Promise<DriverProblem | null> {
  const [program = '', ...args] = command;
  try {
    const env = { ...inheritedEnvironment(), ...environment };
    await promisify(execFile)(program, [...args, '--help'], { env, timeout: ANSWER_MS });
    return null;
  } catch (error) {
    return {
      isFatal: true,
      says: `${command.join(' ')} does not run: ${messageOf(error).trim().split('\n').at(-1)}`,
      change: `Install the agent server (docs/agent-servers.md says which versions work), or set ${setting} to its path.`,
    };
  }
}
