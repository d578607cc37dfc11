import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** The address of the agent server that works in a folder, whoever started it; null when none runs (Linux). */
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
  for (;;) {
    const found = await processesIn(home);
    if (found.length === 0) return;
    for (const { pid } of found) kill(pid);
    await sleep(20);
  }
}

async function processesIn(home: string): Promise<{ readonly pid: number; readonly cwd: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = pids.map(async (pid) => ({
    pid: Number(pid),
    // Empty for one that has ended, or is another user's.
    cwd: await readlink(`/proc/${pid}/cwd`).catch(() => ''),
  }));
  return (await Promise.all(all)).filter(({ cwd }) => cwd === home || cwd.startsWith(`${home}/`));
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
