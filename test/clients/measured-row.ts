import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A line of the table in docs/clients.md. */
export interface MeasuredRow {
  readonly version: string;
  readonly calls: number;
  readonly asExpected: number;
}

/**
 * The line of a client, which the tests of that client keep true.
 * @param version where several of the client are in the table
 * @throws Error if there is none
 */
export async function measuredRow(client: string, version?: string): Promise<MeasuredRow> {
  const text = await readFile(join(__dirname, '..', '..', 'docs', 'clients.md'), 'utf8');
  const rows = text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const row = rows.find(([, name, its]) => name === client && (version === undefined || its === version));
  if (row === undefined) throw new Error(`docs/clients.md has no line for ${client}.`);
  const [, , found = '', calls, asExpected] = row;
  return { version: found, calls: Number(calls), asExpected: Number(asExpected) };
}
