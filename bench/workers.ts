/**
 * How much more two workers carry than one where callers and database have processors of their own: each worker may use a fifth
 * of a core (by a control group, which takes root and Linux), so that all else has as much as it wants. They take turns; the median
 * round counts. Needs the built service.
 *
 *   npm run bench -- workers [--seconds 5] [--rounds 5] [--connections 32]
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoadProcess } from './frame/load-process';
import { type MeasuredService, MeasuredServices } from './measured-services';
import { options } from './options';
import { quantile, round } from './org-list-load';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const given = options({ seconds: 5, rounds: 5, connections: 32 });
const WARM_UP_SECONDS = 4;
const SHARE = 0.2;
const PERIOD_US = 20_000;
const GROUPS = '/sys/fs/cgroup';
const hasOneHierarchy = existsSync(join(GROUPS, 'cgroup.controllers'));

/** Control groups that bound how much of a core a process may use. */
class Bounds {
  private readonly folders: string[] = [];

  /** Bounds a process from now on. */
  add(pid: number | undefined): void {
    const folder = join(GROUPS, hasOneHierarchy ? '' : 'cpu', `bench-workers-${pid}`);
    mkdirSync(folder);
    this.folders.push(folder);
    const quota = Math.round(PERIOD_US * SHARE);
    if (hasOneHierarchy) writeFileSync(join(folder, 'cpu.max'), `${quota} ${PERIOD_US}`);
    else {
      writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quota));
    }
    writeFileSync(join(folder, 'cgroup.procs'), String(pid));
  }

  /** Removes them; their processes have ended. */
  remove(): void {
    for (const folder of this.folders) rmdirSync(folder);
  }
}

/** The processes that a process has begun. */
function childrenOf(pid: number | undefined): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

async function main(): Promise<void> {
  const services = await MeasuredServices.start();
  const load = new LoadProcess();
  const bounds = new Bounds();
  try {
    const one = await services.replica('one', { ...UNLIMITED, WORKERS: '1' });
    const two = await services.replica('two', { ...UNLIMITED, WORKERS: '2' });
    while (childrenOf(two.child.pid).length < 2) await new Promise((resolve) => setTimeout(resolve, 100));
    const paths = {
      'GET /api/keys/current': '/api/keys/current',
      'an empty page of the organization list': await services.listPath(one),
    };
    const { key } = services;
    const { connections } = given;
    const rate = async (service: MeasuredService, path: string, seconds: number): Promise<number> =>
      (await load.turn({ ...service, path }, { key, connections, seconds })).perSecond;
    for (const path of Object.values(paths))
      for (const service of [one, two]) await rate(service, path, WARM_UP_SECONDS);
    for (const pid of [one.child.pid, ...childrenOf(two.child.pid)]) bounds.add(pid);
    const results: Record<string, unknown> = {};
    for (const [name, path] of Object.entries(paths)) {
      const rates: [number[], number[]] = [[], []];
      for (let n = 0; n < given.rounds; n++) {
        rates[0].push(await rate(one, path, given.seconds));
        rates[1].push(await rate(two, path, given.seconds));
      }
      const [alone, both] = [quantile(rates[0], 0.5), quantile(rates[1], 0.5)];
      results[name] = {
        oneWorker: Math.round(alone),
        twoWorkers: Math.round(both),
        ratio: round(both / alone),
      };
    }
    report('workers', { ...given, coresOfAWorker: SHARE, results });
  } finally {
    load.stop();
    await services.stop();
    bounds.remove();
  }
}

void main();
