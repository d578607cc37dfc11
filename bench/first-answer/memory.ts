import { readdir, readFile } from 'node:fs/promises';

/** What tells the processes of a sandbox from others: a text in a file that `/proc` has of each. */
export interface Mark {
  readonly file: 'status' | 'cgroup';
  readonly text: string;
}

/** MiB. */
export interface Memory {
  /** What nobody else has: what is free again when it ends. */
  readonly own: number;
  /** With its share of what several have, such as forks and where they come from. */
  readonly proportional: number;
}

/** The processes of a sandbox, its network's among them. */
export async function processesOf({ file, text }: Mark): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const marked = await Promise.all(pids.map(async (pid) => (await read(pid, file)).includes(text)));
  return pids.filter((_, n) => marked[n] === true);
}

/** What processes have together. */
export async function memoryOf(pids: readonly number[]): Promise<Memory> {
  const all = await Promise.all(pids.map((pid) => read(pid, 'smaps_rollup')));
  const sum = (line: RegExp): number => {
    const sizes = all.flatMap((text) => [...text.matchAll(line)].map(([, size]) => Number(size)));
    return Math.round(sizes.reduce((total, size) => total + size, 0) / 1_024);
  };
  return { own: sum(/^Private_\w+:\s+(\d+)/gm), proportional: sum(/^Pss:\s+(\d+)/gm) };
}

/** Empty for a process that has ended. */
function read(pid: number, name: string): Promise<string> {
  return readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
}
