import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArchiveWriter } from '../../../src/operations/backup/archive/archive-writer';
import { packFiles } from '../../../src/operations/backup/files/pack-files';
import { PASSPHRASE } from '../../support/backup/cli-process';
import { unpack } from '../../support/backup/unpack';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 ** 2;
const BLOCK_BYTES = 512;

describe('a file with holes', () => {
  let folder: string;
  let source: string;
  let target: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sparse-'));
    source = join(folder, 'source');
    target = join(folder, 'target');
    await mkdir(join(source, 'sandboxes'), { recursive: true });
    await mkdir(target);
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Makes a file in the folder of sandboxes. @param parts what it has, by where that begins */
  async function make(name: string, size: number, parts: ReadonlyMap<number, Buffer>): Promise<void> {
    const file = await open(join(source, 'sandboxes', name), 'w');
    try {
      await file.truncate(size);
      for (const [at, part] of parts) await file.write(part, 0, part.length, at);
    } finally {
      await file.close();
    }
  }

  async function backUpAndRestore(): Promise<void> {
    const backup = join(folder, 'backup.age');
    const writer = await ArchiveWriter.create(backup, PASSPHRASE);
    expect(await packFiles(writer, source, ['sandboxes'])).toMatchObject({ leftOut: 0 });
    await writer.end();
    const unpacker = await unpack(backup, target);
    expect(unpacker.leftOut).toBe(0);
  }

  async function expectSame(name: string): Promise<void> {
    const [made, restored] = await Promise.all(
      [source, target].map((parent) => readFile(join(parent, 'sandboxes', name))),
    );
    // Not by `toEqual`, which would print both.
    expect(made !== undefined && restored?.equals(made)).toBe(true);
  }

  it('comes back with the same content and its holes, and takes no more of the disk than before', async () => {
    const parts = new Map([
      [0, randomBytes(2 * MEBIBYTE)],
      [9 * MEBIBYTE + 1, Buffer.from('not where a block begins')],
      [20 * MEBIBYTE - 3, randomBytes(5)],
      [30 * MEBIBYTE, Buffer.alloc(MEBIBYTE)],
    ]);
    // Each other block is a hole.
    for (let n = 0; n < 100; n++) parts.set(40 * MEBIBYTE + n * 8 * KIBIBYTE, randomBytes(4 * KIBIBYTE));
    await make('image', 64 * MEBIBYTE + 100, parts);
    await backUpAndRestore();
    await expectSame('image');
    const restored = await stat(join(target, 'sandboxes', 'image'));
    expect(restored.size).toBe(64 * MEBIBYTE + 100);
    // Without the zeros that were written to the first one, and with what file systems need to find the rest.
    expect(restored.blocks * BLOCK_BYTES).toBeLessThan(3 * MEBIBYTE);
  });

  it.each([
    ['nothing', 0, []],
    ['a byte', 1, [[0, Buffer.from('a')]]],
    ['one zero', 1, []],
    ['nothing but a hole', 5 * MEBIBYTE + 1, []],
    ['data at its end only', 5 * MEBIBYTE + 1, [[5 * MEBIBYTE, Buffer.from('z')]]],
    ['data everywhere', 3 * MEBIBYTE, [[0, randomBytes(3 * MEBIBYTE)]]],
  ] satisfies [string, number, [number, Buffer][]][])(
    'comes back with the same content where it has %s',
    async (_, size, parts) => {
      await make('file', size, new Map<number, Buffer>(parts));
      await backUpAndRestore();
      await expectSame('file');
    },
  );
});
