/**
 * `npm run test:install`: the committed files, installed with no script of any package run, build, start and answer.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const START_MS = 180_000;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'install-'));
const copy = join(folder, 'service');

/** @param {string[]} args */
function npm(...args) {
  process.stdout.write(`npm ${args.join(' ')}\n`);
  execFileSync('npm', args, { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function startAndAsk() {
  const port = await freePort();
  process.stdout.write('npm start\n');
  const child = spawn('npm', ['start'], {
    cwd: copy,
    detached: true,
    env: { ...process.env, PORT: String(port), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const deadline = Date.now() + START_MS;
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null);
      if (response?.ok) break;
      if (child.exitCode !== null || Date.now() > deadline) throw new Error('The service did not start.');
      await delay(200);
    }
    process.stdout.write('It answers.\n');
  } finally {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

try {
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, copy]);
  npm('ci', '--ignore-scripts', '--no-audit', '--no-fund');
  npm('run', 'build');
  await startAndAsk();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
