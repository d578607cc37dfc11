import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../../common';
import type { DriverProblem } from '../../record/sandbox-driver';
import { inheritedEnvironment } from '../agent-server-environment';
import { restricted } from '../launch/restrictions';
import { endProcessesOf } from '../users/sandbox-users';

/** Python loads much before it says what it can do. */
const ANSWER_MS = 60_000;

/** What agent servers are started with. */
export interface AgentServerCommand {
  /** With its arguments. */
  readonly command: readonly string[];
  /** The setting that names it. */
  readonly setting: string;
  /** Variables in addition to those of all agent servers. */
  readonly environment: Readonly<Record<string, string>>;
  /** A user that nothing else has, whose processes are ended afterwards; null for the user of this process. */
  readonly uid: number | null;
}

/**
 * Why the program of agent servers cannot be run, or null. It is asked for help only, as a sandbox would run it: as a user of
 * its own, in an empty folder, and with as little of this process's environment.
 */
export async function commandProblem({
  command,
  setting,
  environment,
  uid,
}: AgentServerCommand): Promise<DriverProblem | null> {
  const home = await mkdtemp(join(tmpdir(), 'agent-server-'));
  try {
    const env: Record<string, string> = { ...inheritedEnvironment(), HOME: home, ...environment };
    const plain = [...command, '--help'];
    if (uid !== null) await chown(home, uid, uid);
    const [program = '', ...args] = uid === null ? plain : await restricted(plain, env.PATH ?? '');
    const user = uid === null ? {} : { uid, gid: uid };
    await promisify(execFile)(program, args, { ...user, env, cwd: home, timeout: ANSWER_MS });
    return null;
  } catch (error) {
    return {
      isFatal: true,
      says: `${command.join(' ')} does not run: ${reasonOf(error)}`,
      change: `Install the agent server (docs/agent-servers.md says which versions work), or set ${setting} to its path.`,
    };
  } finally {
    if (uid !== null) await endProcessesOf(uid);
    await rm(home, { recursive: true, force: true });
  }
}

/** The last that a program said; else that it failed, without the shell around it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error && 'stderr' in error && 'code' in error)) return messageOf(error);
  const said = String(error.stderr).trim().split('\n').at(-1);
  if (said !== undefined && said !== '') return said;
  return typeof error.code === 'number' ? `it ended with ${error.code}` : messageOf(error);
}
