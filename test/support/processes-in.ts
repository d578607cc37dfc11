import { readdir, readFile, readlink } from 'node:fs/promises';

/** A process, as other users of the machine see it. */
export interface SeenProcess {
  readonly pid: number;
  readonly name: string;
  readonly commandLine: string;
}

/** The living processes whose working folder is a folder or below it (Linux). */
export async function processesIn(folder: string): Promise<SeenProcess[]> {
  const seen: SeenProcess[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    try {
      if (!(await readlink(`/proc/${pid}/cwd`)).startsWith(`${folder}/`)) continue;
      const read = (file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'utf8');
      const name = await read('comm');
      const commandLine = await read('cmdline');
      // In the middle of an exec, which changes the name first: the next scan sees the new program.
      if (commandLine === '' || (await read('comm')) !== name) continue;
      seen.push({ pid: Number(pid), name: name.trim(), commandLine: commandLine.replaceAll('\0', ' ') });
    } catch {
      // It has ended meanwhile.
    }
  }
  return seen;
}

/** Kills a process, unless it has ended meanwhile, as those of a namespace do with its first one. */
export function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Records every process that works in a folder while the work runs. */
export async function recordProcesses<T>(
  folder: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly seen: readonly SeenProcess[] }> {
  const seen = new Map<string, SeenProcess>();
  const doing = { done: false };
  const recording = (async () => {
    while (!doing.done)
      for (const found of await processesIn(folder)) seen.set(`${found.pid} ${found.name}`, found);
  })();
  try {
    return { result: await work(), seen: [...seen.values()] };
  } finally {
    doing.done = true;
    await recording;
  }
}

/** The processes that start git for a service. */
export async function helpersOf(parent: number): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [status, commandLine] = await Promise.all(
      ['status', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    );
    if (status?.includes(`PPid:\t${parent}\n`) && commandLine?.includes('git-helper'))
      found.push(Number(pid));
  }
  return found;
}
