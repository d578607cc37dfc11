import { chmod, lstat, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { StartError } from '../../kernel/common';
import { isPrivate, removeLeftover, SocketFolder, socketFolderIn } from './socket-folder';

const OWN = process.getuid?.() ?? 0;
const LONG = 'long'.repeat(25);
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('the folder of the socket of the embedded PostgreSQL', () => {
  let parent: string;
  let warnings: string[];

  beforeEach(async () => {
    parent = await realpath(await mkdtemp(join(os.tmpdir(), 'folder-')));
    warnings = [];
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(parent, { recursive: true, force: true });
  });

  const open = (folder: string): Promise<SocketFolder> =>
    SocketFolder.open(folder, null, (message) => warnings.push(message));

  async function make(path: string, mode = 0o700): Promise<string> {
    const folder = join(parent, path);
    await mkdir(folder, { recursive: true });
    await chmod(folder, mode);
    return folder;
  }

  it('is understood in an address whatever characters it has', async () => {
    const folder = await make(`a b@c:d?e#f%2Fg'"ü`);
    const address = (await open(folder)).addressOf('role', 'a pass/word');
    expect(socketFolderIn(address)).toBe(folder);
    const { host, port, user, password } = new Client(address);
    expect({ host, port, user, password }).toEqual({
      host: folder,
      port: 5432,
      user: 'role',
      password: 'a pass/word',
    });
  });

  it('is a temporary one, gone with its server, where the path is too long', async () => {
    const socket = await open(await make(LONG));
    expect(dirname(socket.path)).toBe(await realpath(os.tmpdir()));
    expect(await isPrivate(socket.path, OWN)).toBe(true);
    await socket.close();
    await expect(lstat(socket.path)).rejects.toThrow('ENOENT');
  });

  it('has no place where the path is too long and there is no temporary folder', async () => {
    const folder = await make(LONG);
    jest.spyOn(os, 'tmpdir').mockReturnValue(join(parent, 'missing'));
    await expect(open(folder)).rejects.toThrow(StartError);
    jest.spyOn(os, 'tmpdir').mockReturnValue(folder);
    await expect(open(folder)).rejects.toThrow(/Set another DATA_DIR/);
  });

  onLinux('is a temporary one where the file system takes no sockets', async () => {
    const socket = await open('/proc');
    expect(dirname(socket.path)).toBe(await realpath(os.tmpdir()));
    await socket.close();
  });

  it('is not below a folder that others can write to, unless that has the sticky bit', async () => {
    const folder = await make('shared/data');
    await chmod(dirname(folder), 0o770);
    const socket = await open(folder);
    expect(dirname(socket.path)).toBe(await realpath(os.tmpdir()));
    await socket.close();
    await chmod(dirname(folder), 0o1777);
    expect((await open(folder)).path).toBe(folder);
  });

  it('comes with a warning where others can write to the folder of temporary files as well', async () => {
    const folder = await make('shared/data');
    await chmod(dirname(folder), 0o777);
    jest.spyOn(os, 'tmpdir').mockReturnValue(await make('temporary', 0o777));
    expect((await open(folder)).path).toBe(folder);
    expect(warnings).toEqual([expect.stringContaining(`can write to ${dirname(folder)},`)]);
  });

  it('is private when it is a folder, no link to one, of its owner alone', async () => {
    const folder = await make('private');
    const link = join(parent, 'link');
    await symlink(folder, link);
    expect(await isPrivate(folder, OWN)).toBe(true);
    expect(await isPrivate(link, OWN)).toBe(false);
    expect(await isPrivate(folder, OWN + 1)).toBe(false);
    expect(await isPrivate(join(parent, 'missing'), OWN)).toBe(false);
    await chmod(folder, 0o710);
    expect(await isPrivate(folder, OWN)).toBe(false);
    await expect((await open(folder)).prepare()).rejects.toThrow(/must be open to its owner alone/);
  });

  it('is removed after a run that was killed, but nothing that took its name', async () => {
    const address = async (): Promise<string> => (await open(await make(LONG))).addressOf('role', 'password');
    const left = await address();
    await removeLeftover(left, null);
    await expect(lstat(socketFolderIn(left) ?? '')).rejects.toThrow('ENOENT');

    const taken = await address();
    const name = socketFolderIn(taken) ?? '';
    const elsewhere = await make('elsewhere');
    const kept = join(elsewhere, '.s.PGSQL.5432');
    await writeFile(kept, '');
    await rename(name, join(parent, 'moved'));
    await symlink(elsewhere, name);
    try {
      await removeLeftover(taken, null);
      expect((await lstat(kept)).isFile()).toBe(true);
    } finally {
      await rm(name);
    }
  });
});
