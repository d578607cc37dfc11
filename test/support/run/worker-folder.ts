import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../eventually';
import { endAtOnce } from '../processes-in';
import { programPath } from '../replicas/programs';

const run = promisify(execFile);

/** Only what is left for good takes as long: a busy machine must not make a leftover of what is ending. */
const ENDING_MS = 30_000;

/** The environment for what is started by one test file and stays for others. */
export function environmentOfRun(): NodeJS.ProcessEnv {
  const { PATH = '', TMPDIR, ...others } = process.env;
  const isWorkers = (folder: string): boolean => TMPDIR !== undefined && dirname(folder) === dirname(TMPDIR);
  const folders = PATH.split(delimiter).filter((folder) => !isWorkers(folder));
  return { ...others, PATH: folders.join(delimiter) };
}

/** What a test file did not clean up. */
interface Leftover {
  /** As it is named to who wrote the test. */
  readonly name: string;
  remove(): unknown;
}

/**
 * The folder of a worker of jest, in which a test file has its temporary files. Its path is in `PATH`, which is in the
 * environment of every process that a test starts, and of those that these start.
 */
export class WorkerFolder {
  private readonly temporary: string;
  private readonly programs: string;
  private readonly tables: string;
  private readonly nft = programPath('nft');

  private constructor(private readonly path: string) {
    this.temporary = join(path, 'tmp');
    this.programs = join(path, 'bin');
    this.tables = join(path, 'tables');
  }

  /** Opens it for a test file, and changes the environment of this process. @param parent the folder of the test run */
  static open(parent: string, worker: string): WorkerFolder {
    const folder = new WorkerFolder(join(parent, worker));
    for (const path of [folder.temporary, folder.programs]) mkdirSync(path, { recursive: true });
    // As the folder of the system is.
    chmodSync(folder.temporary, 0o1777);
    folder.noteTables();
    process.env.TMPDIR = folder.temporary;
    process.env.PATH = [folder.programs, process.env.PATH].join(delimiter);
    return folder;
  }

  /**
   * Removes what a test file left behind.
   * @param endingMs what processes that were told to end may take for it
   * @returns what of it a test should have ended or removed; files are not named
   */
  async clean(endingMs = ENDING_MS): Promise<string[]> {
    const left = await this.leftBehind(endingMs);
    for (const one of left) await one.remove();
    await rm(this.tables, { force: true });
    await rm(this.temporary, { recursive: true, force: true, maxRetries: 5 });
    await mkdir(this.temporary, { mode: 0o1777 });
    return left.map(({ name }) => name);
  }

  /** Has nftables called by a program that notes which tables are made, where they can be. */
  private noteTables(): void {
    const { nft } = this;
    const program = join(this.programs, 'nft');
    if (nft === undefined || existsSync(program)) return;
    const text = `#!/bin/sh
[ "$*" = "-f -" ] || exec ${nft} "$@"
script=$(cat)
printf '%s\\n' "$script" | sed -nE 's/^(add )?(table inet [a-z0-9_]+).*/\\2/p' >>${this.tables}
printf '%s\\n' "$script" | exec ${nft} -f -
`;
    writeFileSync(program, text, { mode: 0o755 });
  }

  /** What there still is once what is ending has ended. */
  private async leftBehind(endingMs: number): Promise<Leftover[]> {
    const nothing: Leftover[] = [];
    return eventually(async () => {
      const left = [...(await this.processes()), ...(await this.tablesLeft())];
      if (left.length > 0) throw new StillThere(left);
      return nothing;
    }, endingMs).catch((error: unknown) => {
      if (error instanceof StillThere) return error.left;
      throw error;
    });
  }

  /** The living processes that have the folder in their environment, or as working folder, or in their arguments (Linux). */
  private async processes(): Promise<Leftover[]> {
    const pids = await readdir('/proc').catch(() => []);
    const found = await Promise.all(
      pids.filter((name) => /^\d+$/.test(name)).map((pid) => this.processAt(pid)),
    );
    return found.filter((one) => one !== null);
  }

  private async processAt(pid: string): Promise<Leftover | null> {
    const [environment, commandLine, folder] = await Promise.all([
      readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
      readlink(`/proc/${pid}/cwd`).catch(() => ''),
    ]);
    if (![environment, commandLine, `${folder}/`].some((text) => text.includes(`${this.path}/`))) return null;
    const name = `process ${pid}: ${commandLine.replaceAll('\0', ' ').trim()} (in ${folder})`;
    return { name, remove: () => endAtOnce(Number(pid)) };
  }

  private async tablesLeft(): Promise<Leftover[]> {
    const made = await readFile(this.tables, 'utf8').catch(() => '');
    const { nft } = this;
    if (made === '' || nft === undefined) return [];
    const { stdout } = await run(nft, ['list', 'tables']);
    const there = new Set(stdout.trim().split('\n'));
    const left = [...new Set(made.trim().split('\n'))].filter((table) => there.has(table));
    return left.map((table) => ({
      name: `${table} of nftables`,
      remove: () => run(nft, ['delete', ...table.split(' ')]),
    }));
  }
}

class StillThere extends Error {
  constructor(readonly left: Leftover[]) {
    super('Something is left.');
  }
}
