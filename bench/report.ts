import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

const [loadBefore = NaN] = loadavg();

/** The machine of a measurement, with its load average of the minute before. */
export const machine = {
  node: process.version,
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  loadBefore: Math.round(loadBefore * 100) / 100,
};

/** Prints the results with the machine and the time, and saves them in `results`. */
export function report(name: string, measured: Readonly<Record<string, unknown>>): void {
  const text = `${JSON.stringify({ measuredAt: new Date().toISOString(), machine, ...measured }, null, 2)}\n`;
  const folder = join(__dirname, 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), text);
  process.stdout.write(text);
}
