import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ROOT, scriptOf } from '../compiled/compiled-sources';

const run = promisify(execFile);

/** What agents of the tests call. */
const PROGRAMS = 'bash cat chmod cp dd env head id ls mkdir mv rm sleep stat tail test touch true wc'.split(
  ' ',
);

/** The program of a container with the embedded agent server, as an image's configuration has it. */
export const SMALL_IMAGE = {
  Entrypoint: ['/usr/bin/node', '/app/src/agent-server/embedded/main.js', '--own-user'],
  User: '1000:1000',
  WorkingDir: '/',
  Env: ['PATH=/usr/bin:/bin', 'HOME=/workspace'],
};

/**
 * Makes the root of a file system with the embedded agent server, and no more than it takes: Node, what the server loads, a
 * shell and a few programs, all from this machine. About 110 MB.
 */
export async function writeSmallRoot(folder: string): Promise<void> {
  for (const name of ['app', 'tmp', 'workspace', 'proc', 'sys', 'dev', 'run', 'etc', 'usr/bin', 'bin'])
    await mkdir(join(folder, name), { recursive: true });
  await writeFile(
    join(folder, 'etc/passwd'),
    'root:x:0:0::/:/bin/bash\nsandbox:x:1000:1000::/workspace:/bin/bash\n',
  );
  await writeFile(join(folder, 'etc/group'), 'root:x:0:\nsandbox:x:1000:\n');
  await copyPrograms(folder);
  await copySources(join(folder, 'app'));
}

async function copyPrograms(folder: string): Promise<void> {
  const programs = new Map([['usr/bin/node', process.execPath]]);
  for (const name of PROGRAMS) programs.set(`usr/bin/${name}`, await which(name));
  const libraries = new Set<string>();
  for (const [to, from] of programs) {
    await copyFile(await realpath(from), join(folder, to));
    for (const library of await librariesOf(from)) libraries.add(library);
  }
  for (const library of libraries) {
    await mkdir(join(folder, dirname(library)), { recursive: true });
    await copyFile(await realpath(library), join(folder, library));
  }
  for (const name of ['bash', 'sh']) await symlink('/usr/bin/bash', join(folder, 'bin', name));
}

async function copySources(folder: string): Promise<void> {
  const { path: main } = scriptOf(join(ROOT, 'src/agent-server/embedded/main'));
  const compiled = dirname(dirname(dirname(dirname(main))));
  const roots = [await realpath(compiled), await realpath(ROOT)];
  for (const file of [await realpath(main), ...(await loadedBy(join(dirname(main), 'deferred-server.js')))]) {
    const root = roots.find((each) => file.startsWith(`${each}/`));
    if (root !== undefined) await copyWithPackage(root, relative(root, file), folder);
  }
  await copyFile(join(ROOT, 'package.json'), join(folder, 'package.json'));
}

/** All files that a script needs, itself among them. */
async function loadedBy(script: string): Promise<string[]> {
  const program = `require(${JSON.stringify(script)}); JSON.stringify(Object.keys(require.cache))`;
  const { stdout } = await run(process.execPath, ['-p', program]);
  return z.array(z.string()).parse(JSON.parse(stdout));
}

/** With the `package.json` files on the way to it, by which Node finds it. */
async function copyWithPackage(root: string, file: string, folder: string): Promise<void> {
  await mkdir(join(folder, dirname(file)), { recursive: true });
  await copyFile(join(root, file), join(folder, file));
  for (let at = dirname(file); at !== '.'; at = dirname(at))
    if ((await readdir(join(root, at))).includes('package.json'))
      await copyFile(join(root, at, 'package.json'), join(folder, at, 'package.json'));
}

async function which(name: string): Promise<string> {
  return (await run('bash', ['-c', `type -P ${name}`])).stdout.trim();
}

async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await run('ldd', [program]);
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].flatMap(([, path]) => (path === undefined ? [] : [path]));
}
