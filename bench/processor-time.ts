import { readFileSync } from 'node:fs';
import { postgresProcessesIn } from '../src/appliance/embedded-postgres/process-table';

/** Of `/proc`, on every Linux that Node supports. */
const TICK_MS = 10;

/**
 * Processor time that a process and those of its children that have ended took so far, in ms, as Linux counts it; 0 of a
 * process that is gone.
 */
export function processorMs(pid: number | undefined): number {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 0;
  }
  // Behind the name of the program, which may have spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
}

/**
 * Processor time of a PostgreSQL so far, in ms, with that of connections and workers that have ended.
 * @param folder of its data
 */
export async function postgresProcessorMs(folder: string): Promise<number> {
  const processes = await postgresProcessesIn(folder);
  return processes.reduce((sum, pid) => sum + processorMs(pid), 0);
}
