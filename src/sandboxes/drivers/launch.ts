import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { DriverError } from '../record/sandbox-driver';

/** A process that outlives this one. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Null for the user of this process. */
  readonly uid: number | null;
  /** The file for its output, truncated first. */
  readonly logFile: string;
  /** Called when it ends while this process lives. */
  readonly onExit: () => void;
}

/**
 * Starts a process in a session of its own: no signal from our terminal reaches it.
 * @returns its number
 * @throws DriverError when the program cannot be run
 */
export async function launch(what: Launch): Promise<number> {
  // Appending lets the log be cut while it is written to.
  const log = await open(what.logFile, 'a', 0o600);
  try {
    await log.truncate();
    return await new Promise((resolve, reject) => {
      const child = spawn(what.program, what.args, {
        cwd: what.cwd,
        env: what.env,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
        ...(what.uid === null ? {} : { uid: what.uid, gid: what.uid }),
      });
      child.once('error', (cause) => {
        const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : 'unknown error';
        reject(new DriverError(`The agent server could not be started (${code}).`, { cause }));
      });
      child.once('spawn', () => {
        child.unref();
        resolve(child.pid ?? 0);
      });
      child.once('exit', what.onExit);
    });
  } finally {
    await log.close();
  }
}
