import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Headers } from 'tar-stream';
import { ArchiveWriter } from '../../../src/backup/archive/archive-writer';
import type { FileUnpacker } from '../../../src/backup/files/file-unpacker';
import { PASSPHRASE } from '../../support/backup/cli-process';
import { unpack } from '../../support/backup/unpack';

const TEXT = 'a text';
const FOLDER = { name: 'data/sandboxes', type: 'directory', mode: 0o755 } as const;

describe('an archive that somebody else made', () => {
  let folder: string;
  let target: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hostile-'));
    target = join(folder, 'target');
    await mkdir(target);
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Makes an archive of entries and unpacks it; files have {@link TEXT}. */
  async function makeAndUnpack(entries: readonly Headers[]): Promise<FileUnpacker> {
    const file = join(folder, 'backup.age');
    const writer = await ArchiveWriter.create(file, PASSPHRASE);
    for (const entry of entries)
      if (entry.type === undefined)
        await writer.entry({ ...entry, size: TEXT.length }, Readable.from([Buffer.from(TEXT)]));
      else await writer.entry(entry);
    await writer.end();
    return unpack(file, target);
  }

  it('writes nothing through a link, and below nothing that it did not make', async () => {
    const elsewhere = join(folder, 'elsewhere');
    await mkdir(elsewhere);
    const { found, files, leftOut, example } = await makeAndUnpack([
      FOLDER,
      { name: 'data/sandboxes/link', type: 'symlink', linkname: elsewhere },
      { name: 'data/sandboxes/link/job' },
      { name: 'data/sandboxes/link', type: 'directory' },
      { name: 'data/sandboxes/none/job' },
      { name: 'data/sandboxes/good' },
    ]);
    expect(await readdir(elsewhere)).toEqual([]);
    expect((await readdir(join(target, 'sandboxes'))).sort()).toEqual(['good', 'link']);
    expect({ found, files, leftOut, example }).toEqual({
      ...{ found: 3, files: 1, leftOut: 3, example: 'sandboxes/link/job' },
    });
  });

  it.each(['data/../out', 'data/sandboxes/../../out', 'data//out', 'data/secret.key', 'data/restore.moved'])(
    'is refused with a file named %s',
    async (name) => {
      await expect(makeAndUnpack([FOLDER, { name }])).rejects.toThrow(
        'The backup has a file outside of what is restored, and cannot be.',
      );
      expect(await readdir(target)).toEqual(['sandboxes']);
    },
  );

  it.each(['/etc/passwd', 'data/sandboxes/../../out', 'data/sandboxes/link/job', 'data/sandboxes/link'])(
    'is refused with another name for %s',
    async (linkname) => {
      const symbolic = { name: 'data/sandboxes/link', type: 'symlink', linkname: folder } as const;
      const another = { name: 'data/sandboxes/another', type: 'link', linkname } as const;
      await expect(makeAndUnpack([FOLDER, symbolic, another])).rejects.toThrow('outside of what is restored');
      expect(await readdir(join(target, 'sandboxes'))).toEqual(['link']);
    },
  );

  it('makes no file that runs as its owner', async () => {
    await makeAndUnpack([
      { ...FOLDER, mode: 0o6755 },
      { name: 'data/sandboxes/job', mode: 0o6755 },
    ]);
    for (const name of ['sandboxes', 'sandboxes/job'])
      expect((await stat(join(target, name))).mode & 0o7777).toBe(0o755);
  });
});
