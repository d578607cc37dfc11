/** Builds if there is no build, then runs a program of the build in this process. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @param {string} name file in `dist` */
export async function runBuilt(name) {
  const program = join(root, 'dist', name);
  // A build may have stopped between the two.
  if (!existsSync(program) || !existsSync(join(root, 'console', 'dist', 'index.html'))) build();
  await import(pathToFileURL(program).href);
}

function build() {
  process.stderr.write('Building, once.\n');
  // The build's output goes to standard error: standard output is for the results of commands.
  for (const program of [
    [join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js'), 'build'],
    [join(root, 'console', 'build.mjs')],
  ]) {
    const { status, error } = spawnSync(process.execPath, program, { cwd: root, stdio: ['ignore', 2, 2] });
    if (status === 0) continue;
    process.stderr.write(`The build failed${error ? `: ${error.message}` : ''}. Run npm ci first.\n`);
    process.exit(1);
  }
}
