import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

/** So much is read at a time; a text may lie across two. */
const STEP = 8 * 1024 * 1024;

/** Whether a process, or one that it began, has a text in its environment or anywhere in its memory. */
export function isInProcess(pid: number, text: string): boolean {
  return [pid, ...startedBy(pid)].some((each) => isInOne(each, text));
}

function startedBy(pid: number): number[] {
  const children = readdirSync('/proc').flatMap((name) => {
    const id = Number(name);
    return Number.isInteger(id) && parentOf(id) === pid ? [id] : [];
  });
  return children.flatMap((child) => [child, ...startedBy(child)]);
}

function parentOf(pid: number): number | null {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}

function isInOne(pid: number, text: string): boolean {
  if (readFileSync(`/proc/${pid}/environ`).includes(text)) return true;
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    return regionsOf(pid).some(([from, to]) => isInRegion(memory, { from, to, text }));
  } finally {
    closeSync(memory);
  }
}

/** Whether a file below a folder has a text in it. */
export function isInFolder(folder: string, text: string): boolean {
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
