import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A line of the table in docs/clients.md. */
export interface MeasuredRow {
  readonly version: string;
  readonly calls: number;
  readonly asExpected: number;
}

/** The line of a client, which the tests of that client keep true. @throws Error if there is none */
export async function measuredRow(client: string): Promise<MeasuredRow> {
  const text = await readFile(join(__dirname, '..', '..', 'docs', 'clients.md'), 'utf8');
  const rows = text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const row = rows.find(([, name]) => name === client);
  if (row === undefined) throw new Error(`docs/clients.md has no line for ${client}.`);
  const [, , version = '', calls, asExpected] = row;
  return { version, calls: Number(calls), asExpected: Number(asExpected) };
}
