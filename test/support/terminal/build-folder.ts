import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT, scriptOf } from '../compiled/compiled-sources';

/** A folder as a clone of the repository after `npm ci`: with a build of the sources, and what `npm run` needs. */
export async function makeBuildFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'clone-'));
  await cp(dirname(scriptOf(join(ROOT, 'src', 'main')).path), join(path, 'dist'), { recursive: true });
  // Scripts look for the build beside the file that they are, which a link would not be.
  for (const name of ['scripts', 'src']) await cp(join(ROOT, name), join(path, name), { recursive: true });
  for (const name of ['node_modules', 'package.json', 'tsconfig.json', '.npmrc'])
    await symlink(join(ROOT, name), join(path, name));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
