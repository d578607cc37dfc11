import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

/** Of the last minute. */
function load(): number {
  const [average = NaN] = loadavg();
  return Math.round(average * 100) / 100;
}

/** The machine of a measurement, with its load average of the minute before. */
export const machine = {
  node: process.version,
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  loadBefore: load(),
};

/** Prints the results with the machine, its load by then and the time, and saves them in `results`. */
export function report(name: string, measured: Readonly<Record<string, unknown>>): void {
  const when = { measuredAt: new Date().toISOString(), machine: { ...machine, loadAfter: load() } };
  const text = `${JSON.stringify({ ...when, ...measured }, null, 2)}\n`;
  const folder = join(__dirname, 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), text);
  process.stdout.write(text);
}
