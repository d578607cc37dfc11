import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Entry } from 'tar-stream';
import type { CopiedTable, DatabaseLoad } from '../../kernel/database';
import { END, type End, endSchema, FILES, HEADER, type Header, headerSchema, TABLES } from './archive/format';
import { BackupError } from './backup-error';
import { FileUnpacker } from './files/file-unpacker';

/** The restored contents. */
export interface Loaded {
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  /** The number of files, folders and links of sandboxes that could not be restored. */
  readonly leftOut: number;
  /** The path of the first of them. */
  readonly example: string;
}

/** @throws BackupError when this build does not know the format */
export async function readHeader(entries: AsyncIterator<Entry, unknown>): Promise<Header> {
  const first = await entries.next();
  if (first.done !== true && first.value.header.name === HEADER) {
    const header = headerSchema.safeParse(JSON.parse(await text(first.value)));
    if (header.success) return header.data;
  }
  throw new BackupError(
    'The backup has a format that this build does not know. Restore it with a newer one.',
  );
}

/** All of a backup after its header: tables, files, and what there has to be of both. */
export class Contents {
  /** Read from the backup, and not looked at. */
  private ahead: Entry | undefined;

  /** @param folder where files go */
  constructor(
    private readonly entries: AsyncIterator<Entry, unknown>,
    private readonly folder: string,
  ) {}

  /**
   * @param tables those to load; others are passed over
   * @throws BackupError when the backup is not whole
   */
  async loadInto(load: DatabaseLoad, tables: readonly CopiedTable[]): Promise<Loaded> {
    const wanted = new Map(tables.map((table) => [table.name, table]));
    const rows = new Map<string, number>();
    const unpacker = new FileUnpacker(this.folder);
    let end: End | undefined;
    for (let entry = await this.next(); entry !== undefined; entry = await this.next()) {
      const { name } = entry.header;
      const table = wanted.get(tableOf(name) ?? '');
      if (table !== undefined) rows.set(table.name, await this.loadTable(load, table, entry));
      else if (name.startsWith(FILES)) await unpacker.add(entry);
      else if (name === END) end = endSchema.parse(JSON.parse(await text(entry)));
      entry.resume();
    }
    await unpacker.end();
    const isWhole =
      end?.files === unpacker.found &&
      tables.every(({ name }) => (end.rows[name] ?? 0) === (rows.get(name) ?? 0));
    if (end === undefined || !isWhole)
      throw new BackupError('The backup is not whole: it has fewer rows or files than were written to it.');
    await load.setSequences(end.sequences);
    const { files, leftOut, example } = unpacker;
    return { tables: tables.length, rows: sum(rows.values()), files, leftOut, example };
  }

  private async loadTable(load: DatabaseLoad, table: CopiedTable, first: Entry): Promise<number> {
    const { text: target, rows } = await load.copy(table);
    await pipeline(this.textOf(table.name, first), target);
    return rows();
  }

  /** The text of a table: of its first entry, and of those that follow. */
  private async *textOf(table: string, first: Entry): AsyncGenerator<Buffer> {
    let entry: Entry | undefined = first;
    for (; entry !== undefined && tableOf(entry.header.name) === table; entry = await this.next())
      for await (const chunk of entry as AsyncIterable<Buffer>) yield chunk;
    this.ahead = entry;
  }

  private async next(): Promise<Entry | undefined> {
    const { ahead } = this;
    this.ahead = undefined;
    if (ahead !== undefined) return ahead;
    const next = await this.entries.next();
    return next.done === true ? undefined : next.value;
  }
}

/** Of `tables/NAME/000001`. */
function tableOf(entry: string): string | undefined {
  return entry.startsWith(TABLES) ? entry.slice(TABLES.length, entry.lastIndexOf('/')) : undefined;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
}
