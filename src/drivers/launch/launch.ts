import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { type FileHandle, open, readdir, readFile } from 'node:fs/promises';
import { DriverError } from '../../sandboxes/driver-port';

const STANDARD = 2;
const CLOSE_ON_EXEC = 0o2000000;

let found: Promise<number[]> | undefined;

/**
 * The open files, above the standard three, that this process has from its parent and would hand on: Node opens its
 * own such that they are closed in the programs it runs. Linux only.
 */
function inheritedFiles(): Promise<number[]> {
  found ??= find();
  return found;
}

async function find(): Promise<number[]> {
  const names = await readdir('/proc/self/fdinfo').catch(() => []);
  const numbers = names.map(Number).filter((file) => file > STANDARD);
  const isHandedOn = await Promise.all(numbers.map(handedOn));
  return numbers.filter((_, index) => isHandedOn[index]);
}

async function handedOn(file: number): Promise<boolean> {
  const text = await readFile(`/proc/self/fdinfo/${file}`, 'utf8').catch(() => '');
  const flags = /^flags:\s*([0-7]+)/m.exec(text)?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
}

/** A process that outlives this one. */
interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether it waits for a line on its input, which it gets by {@link Launched.begin}. */
  readonly waits: boolean;
  /** The file for its output, truncated first. */
  readonly logFile: string;
  /** Called when it ends while this process lives. */
  readonly onExit: () => void;
}

/** A process that was started. */
export interface Launched {
  readonly pid: number;
  /** Lets the waiting process continue; without this call it ends with this process. */
  readonly begin: () => void;
}

/**
 * Starts a process in a session of its own, where no signal from our terminal reaches it, and with no open file of ours
 * but its log.
 * @throws DriverError when the program cannot be run
 */
export async function launch(what: Launch): Promise<Launched> {
  // Appending lets the log be cut while it is written to.
  const log = await open(what.logFile, 'a', 0o600);
  const nothing = await open('/dev/null', 'r+');
  try {
    await log.truncate();
    return await started(
      spawn(what.program, what.args, {
        cwd: what.cwd,
        env: what.env,
        detached: true,
        stdio: await filesOf([what.waits ? 'pipe' : 'ignore', log.fd, log.fd], nothing),
      }),
      what.onExit,
    );
  } finally {
    await Promise.all([log.close(), nothing.close()]);
  }
}

/**
 * The file descriptors of a process: those it would inherit from us are masked.
 * @param standard its first three
 * @param nothing in place of what it would inherit
 */
export async function filesOf(
  standard: readonly ['pipe' | 'ignore', 'pipe' | number, number],
  nothing: FileHandle,
): Promise<StdioOptions> {
  const inherited = await inheritedFiles();
  const above = Array.from({ length: Math.max(0, ...inherited) + 1 }, (_, file) =>
    inherited.includes(file) ? nothing.fd : 'ignore',
  );
  return [...standard, ...above.slice(3)];
}

function started(child: ChildProcess, onExit: () => void): Promise<Launched> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : 'unknown error';
      reject(new DriverError(`The agent server could not be started (${code}).`, { cause }));
    });
    child.once('spawn', () => {
      child.unref();
      // A process that ended meanwhile reads nothing.
      child.stdin?.on('error', () => undefined);
      resolve({ pid: child.pid ?? 0, begin: () => child.stdin?.end('\n') });
    });
    child.once('exit', onExit);
  });
}
