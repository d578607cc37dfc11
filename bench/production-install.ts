/**
 * What it takes to have the service somewhere: the size of its production install and, by layer, of its image, and how long the
 * image's entry point takes until `/ready` responds with 200: on a first start with the embedded PostgreSQL, on a second, and
 * with a PostgreSQL of another container. Needs root and a container engine (docs/contributing.md).
 *
 *   npm run bench -- production-install [--rounds 5]
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { imagesEngine, IMAGES, makeImages, removeImages } from '../test/support/containers/service-images';
import { freePort } from '../test/support/service/free-port';
import { options } from './options';
import { report } from './report';

const { rounds: ROUNDS } = options({ rounds: 5 });
const ROOT = join(__dirname, '..');
const PASSWORD = 'of-a-measurement';
const MEGABYTE = 1e6;

/** Installs what production needs. @returns its size in megabytes, before and after what the image leaves out */
function install(...args: string[]): { readonly installed: number; readonly pruned: number } {
  const folder = mkdtempSync(join(tmpdir(), 'production-install-'));
  const run = (program: string, ...rest: string[]): string =>
    execFileSync(program, rest, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const size = (): number =>
    megabytes(Number(run('du', '--bytes', '--summarize', 'node_modules').split('\t')[0]));
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(join(ROOT, file), join(folder, file));
    run('npm', 'ci', '--omit=dev', ...args, '--ignore-scripts', '--no-audit', '--no-fund');
    const installed = size();
    run(process.execPath, join(ROOT, 'scripts', 'images', 'prune-packages.mjs'), 'node_modules');
    return { installed, pruned: size() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function megabytes(bytes: number): number {
  return Math.round(bytes / MEGABYTE);
}

/** The image's layers of a megabyte and more, the last one first, and their sum. */
async function sizeOfImage() {
  const docker = imagesEngine();
  const format = '{{.Size}}\t{{.CreatedBy}}';
  const history = await docker.docker(
    'history',
    '--human=false',
    '--no-trunc',
    '--format',
    format,
    IMAGES.service,
  );
  const layers = history
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([bytes = '', madeBy = '']) => ({ megabytes: megabytes(Number(bytes)), madeBy: shortened(madeBy) }));
  const total = await docker.docker('image', 'inspect', '--format', '{{.Size}}', IMAGES.service);
  return { total: megabytes(Number(total)), layers: layers.filter((layer) => layer.megabytes >= 1) };
}

function shortened(command: string): string {
  const text = command
    .replace(/^\/bin\/sh -c (#\(nop\) )?/, '')
    .replace(/\b(dir|file|multi):[0-9a-f]{10,}/, '…')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text === '' ? 'the base image' : text.slice(0, 80);
}

/** Starts a container that was made. @returns the milliseconds until it is ready */
async function start(name: string, port: number): Promise<number> {
  const began = performance.now();
  await imagesEngine().docker('start', name);
  while (!(await isReady(port))) await sleep(10);
  return performance.now() - began;
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/ready`).then(
    (response) => response.status === 200,
    () => false,
  );
}

/** Makes a container in the network of this machine. */
async function create(name: string, image: string, env: Readonly<Record<string, string>>): Promise<void> {
  const settings = Object.entries(env).flatMap(([setting, value]) => ['--env', `${setting}=${value}`]);
  await imagesEngine().docker('create', '--network', 'host', '--name', name, ...settings, image);
}

async function remove(name: string): Promise<void> {
  await imagesEngine().docker('rm', '--force', '--volumes', name);
}

/** @returns the milliseconds of one round's starts */
async function round() {
  const [port, postgresPort] = [await freePort(), await freePort()];
  const listen = { HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'warn' };
  await create('embedded', IMAGES.service, listen);
  const first = await start('embedded', port);
  await imagesEngine().docker('stop', 'embedded');
  const second = await start('embedded', port);
  await remove('embedded');

  await create('postgres', IMAGES.postgres, {
    POSTGRES_USER: 'service',
    POSTGRES_PASSWORD: PASSWORD,
    POSTGRES_DB: 'service',
    PGPORT: String(postgresPort),
  });
  await imagesEngine().docker('start', 'postgres');
  const DATABASE_URL = `postgres://service:${PASSWORD}@127.0.0.1:${postgresPort}/service`;
  const SECRET_KEY = 'a measurement needs no better key than this';
  await create('service', IMAGES.service, { ...listen, DATABASE_URL, SECRET_KEY });
  await accepts(postgresPort);
  await start('service', port); // makes the schema
  await imagesEngine().docker('stop', 'service');
  const withDatabase = await start('service', port);
  await remove('service');
  await remove('postgres');
  return { first, second, withDatabase };
}

/** Waits until the PostgreSQL of a round takes connections. */
async function accepts(port: number): Promise<void> {
  const ready = ['exec', 'postgres', 'pg_isready', '--host', '127.0.0.1', '--port', String(port)];
  while (
    (await imagesEngine()
      .docker(...ready)
      .catch(() => null)) === null
  )
    await sleep(100);
}

function summary(times: readonly number[]) {
  const sorted = times.map(Math.round).sort((a, b) => a - b);
  return { best: sorted[0], median: sorted[Math.floor(sorted.length / 2)], worst: sorted.at(-1) };
}

async function main(): Promise<void> {
  const production = { all: install(), withoutOptional: install('--omit=optional') };
  await makeImages();
  try {
    const rounds = [];
    for (let number = 0; number < ROUNDS; number++) rounds.push(await round());
    report('production-install', {
      nodeModulesMegabytes: production,
      imageMegabytes: await sizeOfImage(),
      rounds: ROUNDS,
      startToReadyMs: {
        firstWithEmbeddedPostgres: summary(rounds.map(({ first }) => first)),
        secondWithEmbeddedPostgres: summary(rounds.map(({ second }) => second)),
        withDatabaseUrl: summary(rounds.map(({ withDatabase }) => withDatabase)),
      },
    });
  } finally {
    await removeImages();
  }
}

void main();
