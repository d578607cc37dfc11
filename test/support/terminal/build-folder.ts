import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT, scriptOf } from '../compiled/compiled-sources';

/** A folder that is removed after use. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** A folder as a clone of the repository after `npm ci`: with a build of the sources, and what `npm run` needs. */
export async function makeBuildFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'clone-'));
  await copyBuild(path);
  // Scripts look for the build beside the file that they are, which a link would not be.
  for (const name of ['scripts', 'src']) await cp(join(ROOT, name), join(path, name), { recursive: true });
  for (const name of ['node_modules', 'package.json', 'tsconfig.json', '.npmrc'])
    await symlink(join(ROOT, name), join(path, name));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A folder of somebody who has installed the packed service there. */
export async function makePackageFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'package-'));
  const modules = join(path, 'node_modules');
  const installed = join(modules, 'org-conversation-service');
  await mkdir(join(modules, '.bin'), { recursive: true });
  await mkdir(installed);
  await copyBuild(installed);
  for (const name of ['node_modules', 'package.json']) await symlink(join(ROOT, name), join(installed, name));
  const program = join(installed, 'dist', 'bin.js');
  await chmod(program, 0o755);
  await symlink(program, join(modules, '.bin', 'org-conversation-service'));
  await writeFile(join(path, 'package.json'), '{ "name": "somebodys" }');
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

async function copyBuild(folder: string): Promise<void> {
  await cp(dirname(scriptOf(join(ROOT, 'src', 'main')).path), join(folder, 'dist'), { recursive: true });
  await symlink(join(ROOT, 'console'), join(folder, 'console'));
}
