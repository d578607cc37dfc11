import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StreamReader } from '../../test/support/streams/stream-reader';
import { round } from '../org-list-load';

const COLLECT_MS = 3_000;
const WARM_UP_STREAMS = 200;
/** Opened at a time. */
const AT_ONCE = 500;

/** Of a process that is to be asked for its memory. */
export const COLLECTING = ['--expose-gc', '--require', join(__dirname, 'collect-on-signal.cjs')];

/** The memory that a process uses, in bytes, without garbage. */
export async function memoryOf(child: ChildProcess): Promise<number> {
  child.kill('SIGUSR2');
  await pause(COLLECT_MS);
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024;
}

/** What streams at a server add to its memory. */
export interface IdleMemory {
  readonly refused: number;
  readonly kilobytesEach: number;
}

/**
 * Opens so many streams at a server, and closes them again.
 * @param open opens the nth
 */
export async function idleMemory(
  child: ChildProcess,
  count: number,
  open: (n: number) => Promise<StreamReader>,
): Promise<IdleMemory> {
  const openAll = async (most: number): Promise<StreamReader[]> => {
    const all: StreamReader[] = [];
    while (all.length < most) {
      const length = Math.min(AT_ONCE, most - all.length);
      all.push(...(await Promise.all(Array.from({ length }, (_, n) => open(all.length + n)))));
    }
    return all;
  };
  for (const stream of await openAll(Math.min(count, WARM_UP_STREAMS))) stream.close();
  await pause(5_000);
  const before = await memoryOf(child);
  const streams = await openAll(count);
  const refused = streams.filter(({ status }) => status !== 200).length;
  // Long enough for everybody's heartbeat.
  await pause(20_000);
  const kilobytesEach = round(((await memoryOf(child)) - before) / count / 1_000);
  for (const stream of streams) stream.close();
  return { refused, kilobytesEach };
}

/** The same of a server of Node alone. */
export async function bareIdleMemory(count: number): Promise<IdleMemory> {
  const child = fork(join(__dirname, 'bare-streams.ts'), {
    execArgv: [...COLLECTING, '--require', '@swc-node/register'],
  });
  try {
    const port = await new Promise<number>((resolve, reject) => {
      child.once('exit', () => reject(new Error('The bare server ended.')));
      child.once('message', (message) => resolve(Number(message)));
    });
    return await idleMemory(child, count, () => StreamReader.open(`http://127.0.0.1:${port}/`));
  } finally {
    child.kill();
  }
}
