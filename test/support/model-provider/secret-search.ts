import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { startedBy } from '../agent-server/started-processes';

/** So much is read at a time; a text may lie across two. */
const STEP = 8 * 1024 * 1024;

/** What is searched: a service, by its port on this host, and where its sandboxes have their files. */
export interface SearchedSandboxes {
  readonly port: number;
  readonly folder: string;
}

/**
 * Where in the sandboxes of a service a text is: the environment or the memory of a process, whoever began it, or the files.
 * Needs the right to read the memory of others, as root has it.
 */
export async function placesOf(text: string, { port, folder }: SearchedSandboxes): Promise<string[]> {
  const processes = (await startedBy(port)).flatMap(({ pid, name, environment }) => [
    ...(environment.includes(text) ? [`environment of ${name}`] : []),
    ...(isInMemory(pid, text) ? [`memory of ${name}`] : []),
  ]);
  return [...new Set([...processes, ...(isInFolder(folder, text) ? ['files'] : [])])];
}

function isInMemory(pid: number, text: string): boolean {
  try {
    const memory = openSync(`/proc/${pid}/mem`, 'r');
    try {
      return regionsOf(pid).some(([from, to]) => isInRegion(memory, { from, to, text }));
    } finally {
      closeSync(memory);
    }
  } catch (error) {
    if (!existsSync(`/proc/${pid}`)) return false;
    throw error;
  }
}

/** Whether a file below a folder has a text in it. */
function isInFolder(folder: string, text: string): boolean {
  try {
    execFileSync('grep', ['-rqF', '-a', '--', text, folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Readable regions that can have data in them. */
function regionsOf(pid: number): [from: number, to: number][] {
  return readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .flatMap((line): [number, number][] => {
      const [, from = '', to = '', rights = ''] = /^([0-9a-f]+)-([0-9a-f]+) (\S+)/.exec(line) ?? [];
      const isData = rights.startsWith('rw') && !line.includes('[v');
      return isData ? [[Number.parseInt(from, 16), Number.parseInt(to, 16)]] : [];
    });
}

function isInRegion(
  memory: number,
  { from, to, text }: { readonly from: number; readonly to: number; readonly text: string },
): boolean {
  const bytes = Buffer.alloc(Math.min(STEP, to - from));
  for (let at = from; at < to; at += STEP - text.length) {
    try {
      const read = readSync(memory, bytes, 0, Math.min(bytes.length, to - at), at);
      if (bytes.subarray(0, read).includes(text)) return true;
    } catch {
      // The region is gone, or was never there.
      return false;
    }
  }
  return false;
}
