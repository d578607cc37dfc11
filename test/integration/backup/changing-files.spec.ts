import { randomBytes } from 'node:crypto';
import fs, { type FileHandle, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ArchiveWriter } from '../../../src/operations/backup/archive/archive-writer';
import { packFiles, type PackedFiles } from '../../../src/operations/backup/files/pack-files';
import { PASSPHRASE } from '../../support/backup/cli-process';
import { unpack } from '../../support/backup/unpack';

const MEBIBYTE = 1024 ** 2;

/** What is done when a file is opened. */
interface Opening {
  readonly before?: () => Promise<void>;
  readonly after?: (handle: FileHandle) => unknown;
}

describe('files that change, or cannot be read, while a backup reads them', () => {
  let folder: string;
  let source: string;
  let sandbox: string;
  let backup: string;
  /** By the names of files. */
  const openings = new Map<string, Opening>();
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'changing-'));
    source = join(folder, 'source');
    sandbox = join(source, 'sandboxes', 'process', 'of-an-agent');
    backup = join(folder, 'backup.age');
    await mkdir(sandbox, { recursive: true });
    await writeFile(join(source, 'host-id'), 'a host');
    for (const name of ['before', 'file', 'last']) await writeFile(join(sandbox, name), name);
    const { open } = fs;
    jest.spyOn(fs, 'open').mockImplementation(async (path, ...rest) => {
      const opening = openings.get(basename(String(path)));
      await opening?.before?.();
      const handle = await open(path, ...rest);
      opening?.after?.(handle);
      return handle;
    });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    openings.clear();
    await rm(folder, { recursive: true });
  });

  /** From its second portion on, the file cannot be read. */
  function failReading(handle: FileHandle): void {
    const read = handle.read.bind(handle);
    let portions = 0;
    jest
      .spyOn(handle, 'read')
      .mockImplementation((...args) =>
        portions++ === 0 ? read(...args) : Promise.reject(problem('EIO', 'read')),
      );
  }

  /** From now on, nothing can be written to the file. */
  function fillDisk(handle: FileHandle): void {
    for (const method of ['write', 'writev'] as const)
      jest.spyOn(handle, method).mockRejectedValue(problem('ENOSPC', method));
  }

  async function backUp(): Promise<PackedFiles> {
    const writer = await ArchiveWriter.create(backup, PASSPHRASE);
    const packed = await packFiles(writer, source, ['host-id', 'sandboxes']).catch(async (error: unknown) => {
      throw (await writer.abort()) ?? error;
    });
    await writer.end();
    return packed;
  }

  /** @returns the folder that the sandbox is restored to */
  async function restore({ files }: PackedFiles): Promise<string> {
    const target = join(folder, 'target');
    await mkdir(target);
    const unpacker = await unpack(backup, target);
    expect(unpacker).toMatchObject({ found: files, files, leftOut: 0 });
    return join(target, 'sandboxes', 'process', 'of-an-agent');
  }

  it('leave out what has become a folder since it was seen, and end no backup', async () => {
    openings.set('file', {
      before: async () => {
        await rename(join(sandbox, 'file'), join(folder, 'away'));
        await mkdir(join(sandbox, 'file'));
      },
    });
    const packed = await backUp();
    expect(packed).toMatchObject({ files: 3, leftOut: 1, example: 'sandboxes/process/of-an-agent/file' });
    const restored = await restore(packed);
    expect((await fs.readdir(restored)).sort()).toEqual(['before', 'last']);
  });

  it('have zeros for what the disk does not give, are counted, and end no backup', async () => {
    const bytes = randomBytes(MEBIBYTE);
    await writeFile(join(sandbox, 'file'), bytes);
    await fs.link(join(sandbox, 'file'), join(sandbox, 'same'));
    for (const name of ['file', 'same']) openings.set(name, { after: failReading });
    const packed = await backUp();
    expect(packed).toMatchObject({ files: 5, leftOut: 1 });
    expect(packed.example).toMatch(/^sandboxes\/process\/of-an-agent\/(file|same)$/);
    const restored = await restore(packed);
    const file = await readFile(join(restored, 'same'));
    expect(file).toHaveLength(MEBIBYTE);
    const read = 64 * 1024;
    expect(file.subarray(0, read).equals(bytes.subarray(0, read))).toBe(true);
    expect(file.subarray(read).every((byte) => byte === 0)).toBe(true);
    expect(await readFile(join(restored, 'last'), 'utf8')).toBe('last');
  });

  it('are left out where the system does not say what they are', async () => {
    openings.set('file', {
      after: (handle) => jest.spyOn(handle, 'stat').mockRejectedValue(problem('ESTALE', 'fstat')),
    });
    expect(await backUp()).toMatchObject({
      files: 3,
      leftOut: 1,
      example: 'sandboxes/process/of-an-agent/file',
    });
  });

  it('end a backup where they are of the installation, and not of agents', async () => {
    await writeFile(join(source, 'host-id'), randomBytes(MEBIBYTE));
    openings.set('host-id', { after: failReading });
    await expect(backUp()).rejects.toThrow(
      `${join(source, 'host-id')} cannot be used: EIO: of a test, read.`,
    );
    expect(await fs.readdir(folder)).toEqual(['source']);
  });

  it('end no backup, but a full disk that it is written to does', async () => {
    await writeFile(join(sandbox, 'file'), randomBytes(16 * MEBIBYTE));
    let draft: FileHandle | undefined;
    openings.set(`backup.age.${process.pid}.unfinished`, { after: (handle) => void (draft = handle) });
    openings.set('file', { after: () => draft !== undefined && fillDisk(draft) });
    await expect(backUp()).rejects.toThrow(`${backup} does not fit: there is no space left on its disk.`);
    expect(await fs.readdir(folder)).toEqual(['source']);
  });
});

/** As the system says it of a file that is open already: without its path. */
function problem(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: of a test, ${syscall}`), { code, syscall });
}
