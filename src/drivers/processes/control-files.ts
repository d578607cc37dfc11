import {
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { MEBIBYTE, parseUuid, removeTree } from '../../kernel/common';
import type { Settings } from '../../kernel/config';
import { lastLines } from '../last-lines';
import type { LogLimit } from '../../sandboxes/driver-port';
import { isolationSchema } from '../isolation';
import { SYSTEM_FILES } from './system-files';

const controlSchema = z.object({
  /** The last process of the sandbox, named by number, start time and where numbers have this meaning. */
  pid: z.number().int().positive().nullable(),
  /** Null, as the number is, until the process is known. */
  start: z.string().nullable(),
  space: z.string(),
  /** Where its agent server listens. */
  host: z.string(),
  port: z.number().int(),
  /** The user it runs as; null for the service's own. */
  uid: z.number().int().positive().nullable(),
  /** The isolation it was started with. */
  isolation: isolationSchema,
  /** The port of this host that its calls of the service lead to, where it is not the service's own. */
  callbackPort: z.number().int().optional(),
  /** Whether it was pre-warmed, and no sandbox has it yet; under the name that 0.1.0 wrote. */
  isAhead: z.boolean(),
  /** The id that it was pre-warmed with, by which its processes know its folder: a link leads from there. */
  alias: z.string().nullable(),
});

/** A log that grew beyond this is truncated at the next look. */
const MAX_LOG_BYTES = 10 * MEBIBYTE;

/** The record of the process of a sandbox on its host. */
export type Control = Readonly<z.infer<typeof controlSchema>>;

/** Where the sandboxes of a driver are. */
export function sandboxesFolder(settings: Settings, driver: string): string {
  return join(allSandboxesFolder(settings), driver);
}

function allSandboxesFolder({ DATA_DIR }: Settings): string {
  return join(resolve(DATA_DIR), 'sandboxes');
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

  /** The output of its agent server. */
  logFile(id: string): string {
    return join(this.folder, `${id}.log`);
  }

  /** The end of the output of its agent server in the last run. */
  async lastLogLines(id: string, limit: LogLimit): Promise<string[]> {
    const file = await open(this.logFile(id)).catch(() => null);
    if (file === null) return [];
    try {
      const { size } = await file.stat();
      const length = Math.min(size, limit.bytes);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return lastLines(buffer.toString('utf8', 0, bytesRead), limit, length === size);
    } finally {
      await file.close();
    }
  }

  async limitLog(id: string): Promise<void> {
    const log = await stat(this.logFile(id)).catch(() => null);
    if (log !== null && log.size > MAX_LOG_BYTES) await truncate(this.logFile(id));
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

  /**
   * Makes what was pre-warmed that of a sandbox: folder, log and record. The processes go on, and find their folder
   * under its first name too.
   * @param control as recorded under the first name
   */
  async give(alias: string, control: Control, id: string): Promise<void> {
    await this.write(id, { ...control, isAhead: false, alias });
    await rename(this.home(alias), this.home(id));
    await symlink(id, this.home(alias));
    await rename(this.logFile(alias), this.logFile(id));
    await rm(this.file(alias), { force: true });
  }

  /** Removes folder, log and record, the record last. */
  async remove(id: string, alias: string | null): Promise<void> {
    for (const name of alias === null ? [id] : [alias, id]) {
      await removeTree(this.home(name));
      for (const file of SYSTEM_FILES) await rm(`${this.home(name)}.${file}`, { force: true });
      await rm(this.logFile(name), { force: true });
      await rm(this.file(name), { force: true });
    }
  }

  /** Ids of pre-warmed agent servers that an earlier process left behind. */
  async leftAhead(): Promise<string[]> {
    const controls = await Promise.all(
      (await this.ids()).map(async (id) => ({ id, control: await this.read(id) })),
    );
    // One that was being claimed belongs to its sandbox, and is removed with it.
    const given = new Set(controls.map(({ control }) => control?.alias));
    return controls.flatMap(({ id, control }) => (control?.isAhead === true && !given.has(id) ? [id] : []));
  }

  /** Ids of all sandboxes that have a folder or a record here. */
  async ids(): Promise<string[]> {
    await mkdir(this.folder, { recursive: true });
    const names = await readdir(this.folder);
    const ids = names.map((name) => name.split('.', 1)[0] ?? '').filter((name) => parseUuid(name) === name);
    return [...new Set(ids)];
  }

  private file(id: string): string {
    return join(this.folder, `${id}.json`);
  }
}

/** The users of all sandboxes in `DATA_DIR` that have one, whatever their driver. */
export async function sandboxUsers(settings: Settings): Promise<number[]> {
  const entries = await readdir(allSandboxesFolder(settings), { withFileTypes: true }).catch(() => []);
  const drivers = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const users = drivers.map(async (driver) => {
    const files = new ControlFiles(sandboxesFolder(settings, driver));
    const controls = await Promise.all((await files.ids()).map((id) => files.read(id)));
    return controls.flatMap((control) => control?.uid ?? []);
  });
  return (await Promise.all(users)).flat();
}
