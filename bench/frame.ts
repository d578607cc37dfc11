/**
 * What the frame of a request costs: requests a second and processor time of `GET /alive` of the service, and of a `GET` with a
 * key that reads nothing, against the same answer by a bare Nest application with one route, by Express and by `node:http`, all
 * on the same Node. They take turns; the best round counts, because other work on the machine only makes one slower. Requests
 * are sent by a process of its own. Needs the built service.
 *
 *   npm run bench -- frame [--seconds 2] [--rounds 5] [--connections 16]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../test/support/service/free-port';
import { LoadProcess, type Way } from './frame/load-process';
import { better, MeasuredServices, type Turn } from './measured-services';
import { options } from './options';
import { round } from './org-list-load';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const given = options({ seconds: 2, rounds: 5, connections: 16 });
const WARM_UP_SECONDS = 3;
const ALIVE = '/alive';

async function startBare(kind: string): Promise<Way> {
  const port = await freePort();
  const script = join(__dirname, 'frame', 'bare-server.ts');
  const child = spawn(process.execPath, ['--require', '@swc-node/register', script, kind, String(port)], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!(await isAlive(port))) {
    if (child.exitCode !== null) throw new Error(`The server of ${kind} did not start.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { child, port, path: ALIVE };
}

function isAlive(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}${ALIVE}`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function main(): Promise<void> {
  const services = await MeasuredServices.start();
  const load = new LoadProcess();
  const started: ChildProcess[] = [];
  const bare = async (kind: string): Promise<Way> => {
    const way = await startBare(kind);
    started.push(way.child);
    return way;
  };
  const { key } = services;
  const { connections } = given;
  const turn = (way: Way, seconds: number): Promise<Turn> => load.turn(way, { key, connections, seconds });
  try {
    const service = await services.replica('frame', UNLIMITED);
    const ways: Readonly<Record<string, Way>> = {
      'GET /alive': { ...service, path: ALIVE },
      'GET /api/keys/current': { ...service, path: '/api/keys/current' },
      nest: await bare('nest'),
      express: await bare('express'),
      'node:http': await bare('http'),
    };
    for (const way of Object.values(ways)) await turn(way, WARM_UP_SECONDS);
    const found = new Map<string, Turn>();
    for (let n = 0; n < given.rounds; n++)
      for (const [name, way] of Object.entries(ways))
        found.set(name, better(found.get(name), await turn(way, given.seconds)));
    const nest = found.get('nest')?.perSecond ?? NaN;
    const results = [...found].map(([name, { perSecond, cpuMicroseconds }]) => [
      name,
      {
        perSecond: Math.round(perSecond),
        cpuMicroseconds: Math.round(cpuMicroseconds),
        ratioToNest: round(perSecond / nest),
      },
    ]);
    report('frame', { ...given, results: Object.fromEntries(results) });
  } finally {
    load.stop();
    for (const child of started) child.kill();
    await services.stop();
  }
}

void main();
