import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** The agent server that works in a folder, whoever started it; null when none runs (Linux). */
export async function serverIn(
  home: string,
): Promise<{ readonly pid: number; readonly port: number } | null> {
  for (const { pid, cwd } of await processesIn(home)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const port = /--port\0(\d+)\0/.exec(command)?.[1];
    if (cwd === home && port !== undefined) return { pid, port: Number(port) };
  }
  return null;
}

/** Ends what works in a folder or below it, and waits until it is gone. */
export async function endProcessesIn(home: string): Promise<void> {
  for (let found = await processesIn(home); found.length > 0; found = await processesIn(home)) {
    for (const { pid } of found) kill(pid);
    await sleep(20);
  }
}

async function processesIn(home: string): Promise<{ readonly pid: number; readonly cwd: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  // Empty for one that has ended, or is another user's.
  const cwdOf = (pid: number): Promise<string> => readlink(`/proc/${pid}/cwd`).catch(() => '');
  const all = await Promise.all(pids.map(async (pid) => ({ pid, cwd: await cwdOf(pid) })));
  return all.filter(({ cwd }) => cwd === home || cwd.startsWith(`${home}/`));
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
