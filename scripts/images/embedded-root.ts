import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** What agents of tests use beside Node.js, and what counts the files of sandboxes. */
const PROGRAMS = [
  'bash',
  'sh',
  'cat',
  'chmod',
  'dd',
  'du',
  'env',
  'find',
  'grep',
  'head',
  'id',
  'ls',
  'mkdir',
  'rm',
  'sleep',
  'sync',
  'timeout',
  'touch',
  'wc',
];

/** What the embedded agent server imports. */
const PACKAGES = ['ipaddr.js', 'undici', 'ws', 'zod'];

/** What starts the agent server in an image of {@link makeEmbeddedRoot}. */
export const EMBEDDED_ENTRYPOINT = [
  '/usr/local/bin/node',
  '/app/src/appliance/embedded-agent-server/main.js',
  '--host',
  '0.0.0.0',
  '--port',
  '8000',
  '--own-user',
];

/**
 * Makes the root file system of a small image with the embedded agent server, of this machine's own programs: it needs no
 * registry, and is for tests and for trying out.
 * @param compiled the folder of the compiled `src`
 * @param root the folder of the repository
 * @returns a folder for `docker import` and the like; whoever asked for it removes it
 */
export async function makeEmbeddedRoot(compiled: string, root: string): Promise<string> {
  const into = await mkdtemp(join(tmpdir(), 'embedded-root-'));
  try {
    await chmod(into, 0o755);
    for (const folder of ['tmp', 'workspace', 'proc', 'sys', 'dev', 'etc', 'app/node_modules'])
      await mkdir(join(into, folder), { recursive: true });
    // As in every system.
    await mkdir(join(into, 'root'), { mode: 0o700 });
    await addProgram(into, process.execPath, '/usr/local/bin/node');
    for (const name of PROGRAMS) await addProgram(into, await find(name), `/usr/bin/${name}`);
    await mkdir(join(into, 'bin'), { recursive: true });
    for (const name of ['bash', 'sh']) await cp(join(into, 'usr/bin', name), join(into, 'bin', name));
    await writeFile(join(into, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/bash\n');
    for (const part of ['appliance/embedded-agent-server', 'kernel/common'])
      await cp(join(compiled, part), join(into, 'app/src', part), { recursive: true });
    await cp(join(root, 'package.json'), join(into, 'app/package.json'));
    for (const name of PACKAGES)
      await cp(join(root, 'node_modules', name), join(into, 'app/node_modules', name), { recursive: true });
    return into;
  } catch (error) {
    await rm(into, { recursive: true, force: true });
    throw error;
  }
}

async function find(name: string): Promise<string> {
  return (await run('sh', ['-c', `command -v ${name}`])).stdout.trim();
}

/** Adds a program under a path, and the libraries that it is linked with under theirs. */
async function addProgram(into: string, program: string, path: string): Promise<void> {
  await add(into, program, path);
  const { stdout } = await run('ldd', [program], { maxBuffer: MAX_OUTPUT_BYTES }).catch(() => ({
    stdout: '',
  }));
  for (const [, library = ''] of stdout.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm))
    await add(into, library, library);
}

async function add(into: string, file: string, path: string): Promise<void> {
  await mkdir(dirname(join(into, path)), { recursive: true });
  await writeFile(join(into, path), await readFile(await realpath(file)), { mode: 0o755 });
}
