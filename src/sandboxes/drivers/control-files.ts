import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { parseUuid } from '../../common';
import type { Settings } from '../../config';
import { isolationSchema } from './isolation';

const controlSchema = z.object({
  /** The last process of the sandbox, named by number, start time and where numbers have this meaning. */
  pid: z.number().int().positive().nullable(),
  /** Null, as the number is, until the process is known. */
  start: z.string().nullable(),
  space: z.string(),
  port: z.number().int(),
  /** The user it runs as; null for the service's own. */
  uid: z.number().int().positive().nullable(),
  /** What it was kept apart by; records of earlier versions do not say. */
  isolation: isolationSchema.optional(),
});

/** What the host remembers of a sandbox's process. */
export type Control = Readonly<z.infer<typeof controlSchema>>;

/** Where the sandboxes of a driver are. */
export function sandboxesFolder({ DATA_DIR }: Settings, driver: string): string {
  return join(resolve(DATA_DIR), 'sandboxes', driver);
}

/**
 * Records of processes, next to the sandboxes' folders and never inside: they decide which processes are ended,
 * so no sandbox may write them.
 */
export class ControlFiles {
  /** @param folder where the sandboxes of this host are */
  constructor(readonly folder: string) {}

  /** The sandbox's own folder. */
  home(id: string): string {
    return join(this.folder, id);
  }

  /** What its agent server writes to the terminal. */
  logFile(id: string): string {
    return join(this.folder, `${id}.log`);
  }

  async read(id: string): Promise<Control | null> {
    const text = await readFile(this.file(id), 'utf8').catch(() => null);
    if (text === null) return null;
    return controlSchema.parse(JSON.parse(text));
  }

  async write(id: string, control: Control): Promise<void> {
    const draft = `${this.file(id)}.new`;
    await writeFile(draft, JSON.stringify(control), { mode: 0o600 });
    await rename(draft, this.file(id));
  }

  /** Removes the record and the log. */
  async remove(id: string): Promise<void> {
    await rm(this.logFile(id), { force: true });
    await rm(this.file(id), { force: true });
  }

  /** Ids of all sandboxes that have a folder or a record here. */
  async ids(): Promise<string[]> {
    await mkdir(this.folder, { recursive: true });
    const names = await readdir(this.folder);
    const ids = names.map((name) => name.split('.', 1)[0] ?? '').filter((name) => parseUuid(name) === name);
    return [...new Set(ids)];
  }

  /** The users of all sandboxes that have one. */
  async users(): Promise<number[]> {
    const notes = await Promise.all((await this.ids()).map((id) => this.read(id)));
    return notes.flatMap((note) => note?.uid ?? []);
  }

  private file(id: string): string {
    return join(this.folder, `${id}.json`);
  }
}
