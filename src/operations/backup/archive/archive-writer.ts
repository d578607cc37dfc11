import { createWriteStream } from 'node:fs';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { createGzip } from 'node:zlib';
import type { Headers, Pack } from 'tar-stream';
import { BackupError } from '../backup-error';
import { describeProblem } from './archive-reader';

/** Of scrypt: 128 MiB of memory and about a second for each passphrase that is tried. */
const WORK_FACTOR = 17;

/** What file systems without hard links answer. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** What is collected of a text of unknown length before it becomes an entry. */
const PART_BYTES = 4 * 1024 * 1024;

/**
 * Writes a backup: a tar file, compressed with gzip, encrypted by age with a passphrase. It is written under another name
 * and gets its own at the end, so that a file of that name is whole.
 */
export class ArchiveWriter {
  private constructor(
    private readonly file: string,
    private readonly draft: string,
    private readonly pack: Pack,
    private readonly written: Promise<void>,
  ) {
    written.catch(() => undefined); // whoever adds entries gets it
  }

  /** @throws BackupError when the file exists, or cannot be written */
  static async create(path: string, passphrase: string): Promise<ArchiveWriter> {
    const file = resolve(path);
    const draft = `${file}.${process.pid}.unfinished`;
    if (await isThere(file)) throw new BackupError(`${file} exists already. Name another file.`);
    const [{ pack: createPack }, { Encrypter }] = await Promise.all([
      import('tar-stream'),
      import('age-encryption'),
    ]);
    const encrypter = new Encrypter();
    encrypter.setPassphrase(passphrase);
    encrypter.setScryptWorkFactor(WORK_FACTOR);
    const target = await open(draft, 'wx', 0o600).catch((error: unknown) => {
      throw new BackupError(describeProblem(file, error), { cause: error });
    });
    const pack = createPack();
    const written = pipeline(
      pack,
      createGzip(),
      async function* (source: AsyncIterable<Uint8Array>) {
        yield* await encrypter.encrypt(ReadableStream.from(source));
      },
      createWriteStream('', { fd: target, flush: true }),
    );
    return new ArchiveWriter(file, draft, pack, written);
  }

  /** Adds a file that is in memory. */
  async add(name: string, content: string | Buffer): Promise<void> {
    await this.entry({ name, mode: 0o600, size: Buffer.byteLength(content) }, Readable.from([content]));
  }

  /** Adds a text of unknown length, in portions: `name/000001` and so on. */
  async addInParts(name: string, text: AsyncIterable<Buffer>): Promise<void> {
    let part: Buffer[] = [];
    let bytes = 0;
    let number = 0;
    const flush = async (): Promise<void> => {
      number += 1;
      const content = Buffer.concat(part);
      part = [];
      bytes = 0;
      await this.add(`${name}/${String(number).padStart(6, '0')}`, content);
    };
    for await (const chunk of text) {
      part.push(chunk);
      bytes += chunk.length;
      if (bytes >= PART_BYTES) await flush();
    }
    if (bytes > 0) await flush();
  }

  /** Adds an entry. @param content as many bytes as its header says */
  async entry(header: Headers, content?: Readable): Promise<void> {
    const sink = this.pack.entry(header);
    if (content === undefined) sink.end();
    else await pipeline(content, sink);
    if (content === undefined) await finished(sink);
  }

  /** Completes the file, durably. */
  async end(): Promise<void> {
    this.pack.finalize();
    await this.written;
    await this.giveName().catch((error: unknown) => {
      if (error instanceof BackupError) throw error;
      throw new BackupError(describeProblem(this.file, error), { cause: error });
    });
  }

  /** By a second name, which never replaces a file; some file systems have no such names, as FAT and shares of Windows. */
  private async giveName(): Promise<void> {
    try {
      await link(this.draft, this.file);
      await rm(this.draft);
    } catch (error) {
      if (!hasNoLinks(error)) throw error;
      if (await isThere(this.file)) throw new BackupError(`${this.file} exists already. Name another file.`);
      await rename(this.draft, this.file);
    }
  }

  /** Gives the file up. @returns why it could not be written, if that was it */
  async abort(): Promise<BackupError | null> {
    this.pack.destroy();
    const error: unknown = await this.written.then(
      () => null,
      (reason: unknown) => reason,
    );
    await rm(this.draft, { force: true });
    const isOfFile = error instanceof Error && 'syscall' in error;
    return isOfFile ? new BackupError(describeProblem(this.file, error), { cause: error }) : null;
  }
}

function hasNoLinks(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_LINKS.includes(String(error.code));
}

async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
