import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../kernel/common';
import type { DriverProblem } from '../../sandboxes/driver-port';
import { inheritedEnvironment } from '../agent-server-environment';
import { isolated, NO_REACH } from '../launch/namespaces';
import { programAt, restricted } from '../launch/restrictions';

/** Python loads much before it says what it can do. */
const ANSWER_MS = 60_000;

/** What agent servers are started with. */
interface AgentServerCommand {
  /** With its arguments. */
  readonly command: readonly string[];
  /** The setting that names it. */
  readonly setting: string;
  /** Variables in addition to those of all agent servers. */
  readonly environment: Readonly<Record<string, string>>;
  /** A user that nothing else has; null for the user of this process. */
  readonly uid: number | null;
  /** Whether it runs in namespaces of its own. */
  readonly isIsolated: boolean;
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
  isIsolated,
}: AgentServerCommand): Promise<DriverProblem | null> {
  const home = await mkdtemp(join(tmpdir(), 'agent-server-'));
  try {
    const env: Record<string, string> = { ...inheritedEnvironment(), HOME: home, ...environment };
    const [program = '', ...args] = isIsolated
      ? await isolatedQuestion(command, home, uid, env.PATH ?? '')
      : [...command, '--help'];
    const limits = { timeout: ANSWER_MS, killSignal: 'SIGKILL' } as const;
    const asked = promisify(execFile)(program, args, { env, cwd: home, ...limits });
    // A program that is isolated waits for it.
    asked.child.stdin?.on('error', () => undefined).end('\n');
    await asked;
    return null;
  } catch (error) {
    return {
      isFatal: true,
      says: `${command.join(' ')} does not run: ${reasonOf(error)}`,
      change: `Install the agent server (docs/agent-servers.md says which versions work), or set ${setting} to its path.`,
    };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function isolatedQuestion(
  [name = '', ...args]: readonly string[],
  home: string,
  uid: number | null,
  path: string,
): Promise<string[]> {
  const command = [await programAt(name, path), ...args, '--help'];
  await mkdir(join(home, '.tmp'));
  if (uid !== null) for (const folder of [home, join(home, '.tmp')]) await chown(folder, uid, uid);
  const view = { home, aliases: [], command, shown: [], resolver: null, closed: [] };
  return restricted(isolated({ uid, within: null, reach: NO_REACH, ...view }), {
    entries: [],
    processes: null,
    mebibytes: null,
  });
}

/** The last that a program said; else that it failed, without the shell around it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error && 'stderr' in error && 'code' in error)) return messageOf(error);
  const said = String(error.stderr).trim().split('\n').at(-1);
  if (said !== undefined && said !== '') return said;
  return typeof error.code === 'number' ? `it ended with ${error.code}` : messageOf(error);
}
