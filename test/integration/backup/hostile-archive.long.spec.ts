import { mkdir, mkdtemp, readdir, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Headers } from 'tar-stream';
import { ArchiveWriter } from '../../../src/operations/backup/archive/archive-writer';
import type { FileUnpacker } from '../../../src/operations/backup/files/file-unpacker';
import { PASSPHRASE } from '../../support/backup/cli-process';
import { unpack } from '../../support/backup/unpack';

const TEXT = 'a text';
const FOLDER = { name: 'data/sandboxes', type: 'directory', mode: 0o755 } as const;
const ID = '11111111-1111-4111-8111-111111111111';
const HOME = [
  FOLDER,
  { ...FOLDER, name: 'data/sandboxes/process' },
  { ...FOLDER, name: 'data/sandboxes/process/home' },
] as const;

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
      ...HOME,
      { name: 'data/sandboxes/process/home/link', type: 'symlink', linkname: elsewhere },
      { name: 'data/sandboxes/process/home/link/job' },
      { name: 'data/sandboxes/process/home/link', type: 'directory' },
      { name: 'data/sandboxes/process/home/none/job' },
      { name: 'data/sandboxes/process/home/good' },
    ]);
    expect(await readdir(elsewhere)).toEqual([]);
    expect((await readdir(join(target, 'sandboxes/process/home'))).sort()).toEqual(['good', 'link']);
    expect({ found, files, leftOut, example }).toEqual({
      found: 3,
      files: 1,
      leftOut: 3,
      example: 'sandboxes/process/home/link/job',
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

  it.each([
    '/etc/passwd',
    'data/sandboxes/../../out',
    'data/sandboxes/process/home/link/job',
    'data/sandboxes/process/home/link',
  ])('is refused with another name for %s', async (linkname) => {
    const symbolic = { name: 'data/sandboxes/process/home/link', type: 'symlink', linkname: folder } as const;
    const another = { name: 'data/sandboxes/process/home/another', type: 'link', linkname } as const;
    await expect(makeAndUnpack([...HOME, symbolic, another])).rejects.toThrow('outside of what is restored');
    expect(await readdir(join(target, 'sandboxes/process/home'))).toEqual(['link']);
  });

  it.each([
    ['sandboxes', 'directory', 'symlink'],
    ['sandboxes', 'directory', 'file'],
    ['host-id', 'file', 'symlink'],
    ['owner.key', 'file', 'symlink'],
    ['owner.key', 'file', 'directory'],
  ] as const)('is refused where %s, which is to be a %s, is a %s', async (path, wanted, type) => {
    const link = type === 'symlink' ? { linkname: folder } : {};
    const other = type === 'file' ? {} : { type, ...link };
    await expect(makeAndUnpack([{ name: `data/${path}`, ...other }])).rejects.toThrow(
      `something else in the place of the ${wanted} ${path}.`,
    );
    expect(await readdir(target)).toEqual([]);
  });

  it.each([
    ['sandboxes/process', 'symlink', '/etc'],
    ['sandboxes/process/job.log', 'symlink', 'job.json'],
    [`sandboxes/process/${ID}`, 'symlink', `../${ID}`],
    [`sandboxes/process/${ID}.log`, 'symlink', ID],
    ['sandboxes/process/job.json', 'link', 'data/sandboxes/process/home/job'],
  ] as const)('is refused with a link at %s (%s to %s)', async (path, type, linkname) => {
    const above = HOME.slice(0, path.split('/').length - 1);
    await expect(makeAndUnpack([...above, { name: `data/${path}`, type, linkname }])).rejects.toThrow(
      `The backup has a link in the place of ${path}.`,
    );
  });

  it('has the link of a sandbox that was started ahead', async () => {
    const [before, now] = [ID, ID.replace('1', '2')];
    await makeAndUnpack([
      ...HOME,
      { name: `data/sandboxes/process/${before}`, type: 'symlink', linkname: now },
    ]);
    expect(await readlink(join(target, 'sandboxes/process', before))).toBe(now);
  });

  it('makes no file that runs as its owner', async () => {
    await makeAndUnpack([
      { ...FOLDER, mode: 0o6755 },
      { name: 'data/sandboxes/job', mode: 0o6755 },
    ]);
    for (const name of ['sandboxes', 'sandboxes/job'])
      expect((await stat(join(target, name))).mode & 0o7777).toBe(0o755);
  });
});
