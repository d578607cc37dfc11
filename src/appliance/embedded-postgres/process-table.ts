import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { isDeadState, linuxProcess } from '../../kernel/common';

const run = promisify(execFile);

/** The living processes of a PostgreSQL server in this data folder, as far as this user may see them. */
export async function postgresProcessesIn(folder: string): Promise<number[]> {
  return process.platform === 'linux' ? linuxProcessesIn(folder) : otherProcessesIn(folder);
}

async function linuxProcessesIn(folder: string): Promise<number[]> {
  const home = await stat(folder);
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const living = await Promise.all(
    numbers.map(async (pid) => {
      if ((await linuxProcess(pid))?.name !== 'postgres') return false;
      try {
        const cwd = await stat(`/proc/${pid}/cwd`);
        return cwd.dev === home.dev && cwd.ino === home.ino;
      } catch {
        return false; // it has ended meanwhile, or belongs to another user: not ours
      }
    }),
  );
  return numbers.filter((_, index) => living[index]);
}

async function otherProcessesIn(folder: string): Promise<number[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,stat=,command=']);
  return stdout.split('\n').flatMap((line) => {
    const [pid, state, ...command] = line.trim().split(/\s+/);
    const ours = command.join(' ').includes(`/postgres -D ${folder} `);
    return ours && state !== undefined && !isDeadState(state) ? [Number(pid)] : [];
  });
}
