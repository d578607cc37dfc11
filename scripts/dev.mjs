/** `npm run dev`: builds what changes, runs the service, and starts it again after each build. Ctrl-C ends both. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const nest = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');

/** @type {import('node:child_process').ChildProcess | undefined} */
let service;
let hasNewBuild = false;
let isStopping = false;

const builder = spawn(process.execPath, [nest, 'build', '--watch'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'pipe'],
});
const consoleBuilder = spawn(process.execPath, [join(root, 'console', 'build.mjs'), '--watch'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
});
builder.once('exit', (code) => {
  service?.kill();
  process.exitCode ||= isStopping ? 0 : (code ?? 1);
});
createInterface({ input: builder.stderr }).on('line', (line) => {
  process.stderr.write(`${line}\n`);
  if (line.includes('Successfully compiled')) startAgain();
});
// The service lists the files of the console when it starts.
createInterface({ input: consoleBuilder.stdout }).on('line', () => {
  if (service !== undefined) startAgain();
});

function startAgain() {
  hasNewBuild = true;
  if (service !== undefined) {
    service.kill();
    return;
  }
  hasNewBuild = false;
  service = spawn(process.execPath, ['--enable-source-maps', join(root, 'dist', 'main.js')], {
    stdio: 'inherit',
  });
  service.once('exit', () => {
    service = undefined;
    if (hasNewBuild && !isStopping) startAgain();
  });
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.on(signal, () => {
    isStopping = true;
    builder.kill(signal);
    consoleBuilder.kill(signal);
  });
