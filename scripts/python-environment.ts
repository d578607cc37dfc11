import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { appendFile, link, mkdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findPython } from './find-python';
import { reachablePython, wrapCommand } from './reachable-python';

const run = promisify(execFile);

const PROJECT = join(__dirname, '..');
const LINES_OF_A_FAILURE = 15;

/** Before a download that broke off is tried again; pip itself does not repeat all of them. */
const PAUSES_MS = [15_000, 60_000];
const BROKEN_OFF =
  /Connection(Error|Reset| broken| aborted)|ReadTimeout|timed out|IncompleteRead|Temporary failure|Max retries|HTTP error (429|50\d)/;

/** A Python program that tests run, from the Python package index. */
export interface PythonProgram {
  /** What the messages call it. */
  readonly title: string;
  /** Its package, which the lock file pins. */
  readonly packageName: string;
  /** What `python -m` runs; null where tests run Python with programs of their own. */
  readonly module: string | null;
  /** The name of its command. */
  readonly command: string;
  /** Its folder under `.cache`; by default as the command. */
  readonly folder?: string;
  /** Every package of the environment with its version: nothing else is installed. */
  readonly lockFile: string;
  /** How much it takes on the disk. */
  readonly size: string;
}

/** A Python environment with a program in it. */
export interface PythonEnvironment {
  /** Version of the program's package. */
  readonly version: string;
  readonly directory: string;
  /** The path of the program's command. */
  readonly command: string;
  /** Variables that its Python needs. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Paths and the log of progress; only tests set these. */
export interface EnvironmentOptions {
  readonly cacheFolder?: string;
  readonly lockFile?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly log?: (line: string) => void;
}

/**
 * Creates the environment if it does not exist, which takes a minute or two, and returns where it is. It belongs to
 * one version of the lock file. One that a killed run left incomplete is created again: Python environments cannot
 * be moved, so a marker written last says that one is complete. Concurrent runs wait for each other.
 * @throws Error with a message to print
 */
export async function ensurePython(
  program: PythonProgram,
  options: EnvironmentOptions = {},
): Promise<PythonEnvironment> {
  const { log = console.error, environment = process.env } = options;
  const lockFile = options.lockFile ?? program.lockFile;
  const cache = options.cacheFolder ?? join(PROJECT, '.cache', program.folder ?? program.command);
  const wanted = await describe(program, lockFile, cache);
  if (await isWhole(wanted)) return wanted;
  await mkdir(join(wanted.directory, '..'), { recursive: true });
  const pidFile = `${wanted.directory}.pid`;
  const release = await holdAlone(pidFile, log);
  try {
    if (await isWhole(wanted)) return wanted;
    const python = await findPython(environment);
    await make(program, wanted, { python, lockFile, pidFile, environment, log });
  } finally {
    await release();
  }
  return wanted;
}

async function describe(
  { packageName, command }: PythonProgram,
  lockFile: string,
  cacheFolder: string,
): Promise<PythonEnvironment> {
  const lock = await readFile(lockFile, 'utf8');
  const line = lock.split('\n').find((each) => each.startsWith(`${packageName}==`));
  if (line === undefined) throw new Error(`${lockFile} does not pin ${packageName}.`);
  const version = line.slice(packageName.length + 2).trim();
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const directory = join(cacheFolder, `${version}-${hash}`);
  // Where its Python was copied; see `reachablePython`.
  const variables = { LD_LIBRARY_PATH: join(directory, 'base', 'lib') };
  return { version, directory, command: join(directory, 'bin', command), variables };
}

/** Whether it is complete, and the Python it was created with still exists. */
async function isWhole({ directory, variables }: PythonEnvironment): Promise<boolean> {
  try {
    await stat(join(directory, 'complete'));
    await run(join(directory, 'bin', 'python'), ['-c', ''], { env: { ...process.env, ...variables } });
    return true;
  } catch {
    return false;
  }
}

interface Making {
  readonly python: string;
  readonly lockFile: string;
  readonly pidFile: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
}

async function make(program: PythonProgram, wanted: PythonEnvironment, making: Making): Promise<void> {
  const { directory, version } = wanted;
  const { lockFile, log } = making;
  const startedAt = performance.now();
  log(
    `Creating the environment of ${program.title} ${version} in ${directory} (about ${program.size}, once).`,
  );
  await rm(directory, { recursive: true, force: true });
  const python = await reachablePython(making.python, join(directory, 'base'));
  const environment = { ...making.environment, ...python.variables };
  const visibly = { ...making, environment };
  await runVisibly(visibly, python.command, ['-m', 'venv', directory]);
  const total = (await readFile(lockFile, 'utf8')).split('\n').filter((line) => line.includes('==')).length;
  let collected = 0;
  const inside = join(directory, 'bin', 'python');
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '--progress-bar', 'off'];
  // Some packages ask for versions of others that not every index has, and work with the ones of the lock file.
  const install = [...pip, '--retries', '5', '--no-deps', '-r', lockFile];
  const onLine = (line: string): void => {
    if (line.startsWith('Installing collected')) log('  installing them');
    if (line.startsWith('Collecting ') && ++collected % 50 === 0) log(`  ${collected} of ${total} packages`);
  };
  for (const pause of [...PAUSES_MS, null])
    try {
      await runVisibly(visibly, inside, install, onLine);
      break;
    } catch (error) {
      if (pause === null || !BROKEN_OFF.test(String(error))) throw error;
      log(`  the download broke off; it goes on in ${pause / 1_000} s`);
      collected = 0;
      await delay(pause);
    }
  await stat(wanted.command);
  if (program.module !== null) await wrapCommand(wanted.command, program.module, python);
  await writeFile(join(directory, 'complete'), '');
  log(`${program.title} ${version} is installed (${Math.round((performance.now() - startedAt) / 1000)} s).`);
}

/** Runs a command and waits for it. @throws Error with the end of its output when it fails */
async function runVisibly(
  { environment, pidFile }: Making,
  command: string,
  args: readonly string[],
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  const child = spawn(command, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = exitCode(child);
  const last: string[] = [];
  const keep = (line: string): void => {
    last.push(line);
    if (last.length > LINES_OF_A_FAILURE) last.shift();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    keep(line);
    onLine(line);
  });
  createInterface({ input: child.stderr }).on('line', keep);
  // Attached only here: the output of a child that ends before it is read is lost.
  await appendFile(pidFile, `\n${child.pid ?? ''}`);
  const code = await exited;
  if (code !== 0) {
    throw new Error(`${[command, ...args].join(' ')} failed (exit code ${code}):\n${last.join('\n')}`);
  }
}

function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? -1));
  });
}

/**
 * Waits until no other living process is creating the same environment: the lock file names the one that is, and the
 * commands it started, which can outlive it. @returns a function that removes the lock
 */
async function holdAlone(file: string, log: (line: string) => void): Promise<() => Promise<void>> {
  const mine = `${file}.${randomUUID()}`;
  await writeFile(mine, `${process.pid}`);
  try {
    for (let waited = false; ; waited = true) {
      if (await becomes(mine, file)) return () => unlink(file);
      const holders = (await readFile(file, 'utf8').catch(() => '')).split('\n').map(Number);
      if (holders[0] !== 0 && !holders.some(isAlive)) {
        await rm(file, { force: true });
        continue;
      }
      if (!waited) log('Another run is creating the same environment; waiting for it.');
      await delay(500);
    }
  } finally {
    await unlink(mine);
  }
}

/** Links a file to a second name atomically. @returns false when the name is taken */
async function becomes(existing: string, name: string): Promise<boolean> {
  try {
    await link(existing, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
