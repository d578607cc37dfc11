/**
 * What an extension that does nothing costs: a start of the service, until `/ready` responds with 200 (over a database with all
 * migrations), and a request, both without it and with it in turn. And how long it takes from an empty folder to the first green
 * test of an extension, as docs/extending.md has it: the installation of the packed service with npm's cache as it is, the
 * compiler, and the test, which makes a database. Needs the built service and its types (`npm run build && npm run prepack`).
 *
 *   npm run bench -- extensions [--starts 10] [--rounds 5] [--seconds 2]
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MeasuredServices, medians, type Turn } from './measured-services';
import { options } from './options';
import { quantile, round } from './org-list-load';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const given = options({ starts: 10, rounds: 5, seconds: 2 });
const ROOT = join(__dirname, '..');
const CONNECTIONS = 8;
const PATH = '/api/keys/current';

const IDLE = `
const { Module } = require(${JSON.stringify(require.resolve('@nestjs/common'))});
class IdleModule {}
Module({})(IdleModule);
module.exports.default = { name: 'idle', modules: [IdleModule] };
`;

const EXTENSION = `
import { Controller, Get, Module } from '@nestjs/common';
import { Access, CurrentOrg, defineExtension, type OrgContext } from 'org-conversation-service';

@Controller('api/acme/organization')
class AcmeController {
  @Get()
  @Access({ org: 'effective', permission: 'acme:look' })
  getAcmeOrganization(@CurrentOrg() { orgId }: OrgContext): { orgId: string } {
    return { orgId };
  }
}

@Module({ controllers: [AcmeController] })
class AcmeModule {}

export default defineExtension({ name: 'acme', modules: [AcmeModule], permissions: { 'acme:look': 'member' } });
`;

const TEST = `
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ServiceUnderTest } from 'org-conversation-service/testing';
import acme from './acme';

it('has a route', async () => {
  const service = await ServiceUnderTest.start({ extensions: [acme], settings: { LOG_LEVEL: 'error' } });
  const { status } = await service.call('GET', '/api/acme/organization');
  await service.stop();
  assert.equal(status, 200);
});
`;

const COMPILER = ['--target', 'ES2023', '--module', 'node16', '--strict', '--experimentalDecorators'];

interface Way {
  readonly env: Readonly<Record<string, string>>;
  readonly startMs: number[];
  readonly turns: Turn[];
}

async function startsAndRequests(extension: string) {
  const services = await MeasuredServices.start();
  const way = (env: Way['env']): Way => ({ env, startMs: [], turns: [] });
  const ways = { without: way({}), with: way({ EXTENSIONS: extension }) };
  const start = async (name: string, { env, startMs }: Way) => {
    const began = performance.now();
    const service = await services.replica(name, {
      ...UNLIMITED,
      APP_ROLE: '',
      WEB_UI: 'off',
      LOG_LEVEL: 'warn',
      ...env,
    });
    startMs.push(performance.now() - began);
    return service;
  };
  try {
    for (let n = 0; n < given.starts; n++)
      for (const [name, each] of inTurn(ways, n)) await services.end(await start(name, each));
    const load = { path: PATH, connections: CONNECTIONS, seconds: given.seconds };
    const running = { without: await start('without', ways.without), with: await start('with', ways.with) };
    for (const service of Object.values(running)) await services.turn(service, load);
    for (let n = 0; n < given.rounds; n++)
      for (const [name, each] of inTurn(ways, n)) each.turns.push(await services.turn(running[name], load));
  } finally {
    await services.stop();
  }
  const summary = ({ startMs, turns }: Way) => ({
    startMs: {
      best: quantile(startMs, 0),
      median: quantile(startMs, 0.5),
      starts: startMs.length,
    },
    requests: medians(turns),
  });
  return { without: summary(ways.without), with: summary(ways.with) };
}

/** The first of a pair is another one each time. */
function inTurn<Name extends string>(ways: Readonly<Record<Name, Way>>, n: number): [Name, Way][] {
  const all = Object.entries(ways) as [Name, Way][];
  return n % 2 === 0 ? all : all.reverse();
}

/** From an empty folder on. @returns seconds of each step, and of all */
function firstGreenTest(folder: string) {
  const run = (cwd: string, program: string, ...args: string[]): number => {
    const began = performance.now();
    execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    return round((performance.now() - began) / 1_000);
  };
  run(ROOT, 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder);
  const acme = join(folder, 'acme');
  mkdirSync(acme);
  writeFileSync(join(acme, 'package.json'), '{ "name": "acme", "version": "1.0.0", "private": true }');
  writeFileSync(join(acme, 'acme.ts'), EXTENSION);
  writeFileSync(join(acme, 'acme.test.ts'), TEST);
  const packages = [
    '../org-conversation-service-0.1.0.tgz',
    '@nestjs/common@^11',
    'typescript@~5.9',
    '@types/node@^20',
  ];
  const seconds = {
    install: run(acme, 'npm', 'install', '--no-audit', '--no-fund', ...packages),
    compile: run(acme, 'npx', 'tsc', ...COMPILER, '--types', 'node', 'acme.ts', 'acme.test.ts'),
    test: run(acme, process.execPath, '--test', 'acme.test.js'),
  };
  return { ...seconds, all: round(seconds.install + seconds.compile + seconds.test) };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-extensions-'));
  // PostgreSQL runs as a user of its own where this is root.
  chmodSync(folder, 0o755);
  try {
    const extension = join(folder, 'idle.cjs');
    writeFileSync(extension, IDLE);
    const idle = await startsAndRequests(extension);
    report('extensions', {
      ...given,
      connections: CONNECTIONS,
      path: PATH,
      idle,
      firstGreenTestSeconds: firstGreenTest(folder),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
