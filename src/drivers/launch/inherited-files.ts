import { readdir, readFile } from 'node:fs/promises';

const STANDARD = 2;
const CLOSE_ON_EXEC = 0o2000000;

let found: Promise<number[]> | undefined;

/**
 * The open files, above the standard three, that this process has from its parent and would hand on: Node opens its
 * own such that they are closed in the programs it runs. Linux only.
 */
export function inheritedFiles(): Promise<number[]> {
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
