import { eventually } from '../../../../test/support/eventually';
import {
  answer,
  type Answer,
  GONE,
  ScriptedApiServer,
  watch,
} from '../../../../test/support/kubernetes/scripted-api-server';
import { ClusterApi } from './cluster-api';
import { ObjectWatch } from './object-watch';

interface Item {
  readonly name: string;
  readonly version: string;
}

let server: ScriptedApiServer;
let api: ClusterApi;
let watched: ObjectWatch<Item>;
let items: Map<string, string>;
let troubles: (string | null)[];

async function follow(script: (isWatch: boolean, n: number) => Answer): Promise<void> {
  let n = 0;
  server = await ScriptedApiServer.start((request) =>
    script(request.url?.includes('watch=true') === true, n++),
  );
  api = new ClusterApi(server.access);
  items = new Map();
  troubles = [];
  watched = new ObjectWatch<Item>(api, {
    path: '/api/v1/things',
    read: (object) => {
      const { metadata } = object as { metadata: { name: string; resourceVersion: string } };
      return { name: metadata.name, version: metadata.resourceVersion };
    },
    replaced: (all) => {
      items = new Map(all.map(({ name, version }) => [name, version]));
    },
    changed: ({ name, version }) => items.set(name, version),
    removed: ({ name }) => items.delete(name),
    troubled: (error) => troubles.push(error === null ? null : error.message),
  });
}

afterEach(async () => {
  watched.stop();
  await api.close();
  await server.stop();
});

const thing = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } });
const list = (version: string, ...things: unknown[]) =>
  answer(200, { metadata: { resourceVersion: version }, items: things });
const versionsAsked = () => server.arrived.map((line) => /resourceVersion=(\d+)/.exec(line)?.[1] ?? 'list');

it('lists once and follows what happens from there', async () => {
  await follow((isWatch) =>
    isWatch
      ? watch([
          { type: 'ADDED', object: thing('b', '6') },
          { type: 'MODIFIED', object: thing('a', '7') },
          { type: 'DELETED', object: thing('b', '8') },
        ])
      : list('5', thing('a', '3')),
  );
  await eventually(() => expect([...items]).toEqual([['a', '7']]));
  await eventually(() => expect(versionsAsked()).toEqual(['list', '5']));
  expect(troubles).toEqual([]);
});

it('goes on where a watch ended or broke off, and lists nothing again', async () => {
  await follow((isWatch, n) => {
    if (!isWatch) return list('5', thing('a', '3'));
    if (n === 1) return watch([{ type: 'MODIFIED', object: thing('a', '7') }], 'end');
    if (n === 2) return watch([{ type: 'BOOKMARK', object: thing('', '9') }], 'break');
    return watch([{ type: 'ADDED', object: thing('b', '11') }]);
  });
  await eventually(() => expect(items.get('b')).toBe('11'));
  expect(versionsAsked()).toEqual(['list', '5', '7', '9']);
  expect(items.get('a')).toBe('7');
});

it.each([
  ['as an event of the watch', () => watch([{ type: 'ERROR', object: GONE }], 'end')],
  ['as the answer to it', () => answer(410, GONE)],
])('lists again what is there when its version is not kept any more, said %s', async (_, gone) => {
  let lists = 0;
  await follow((isWatch, n) => {
    if (!isWatch) return ++lists === 1 ? list('1', thing('old', '1')) : list('20', thing('new', '15'));
    return n === 1 ? gone() : watch([]);
  });
  await eventually(() => expect([...items.keys()]).toEqual(['new']));
  await eventually(() => expect(versionsAsked()).toEqual(['list', '1', 'list', '20']));
  expect(troubles).toEqual([]);
});

it('asks less and less often while the server fails, says so once for each failure, and when it works again', async () => {
  await follow((isWatch, n) => {
    if (!isWatch) return list('5');
    return n < 4 ? answer(403, { reason: 'Forbidden', message: 'not yet' }) : watch([]);
  });
  await eventually(() => expect(troubles.at(-1)).toBeNull());
  expect(troubles).toEqual([...Array<string>(3).fill('not yet (403 Forbidden)'), null]);
});

it('asks less and less often where the server ends each watch at once', async () => {
  const times: number[] = [];
  await follow((isWatch) => {
    times.push(performance.now());
    return isWatch ? watch([], 'end') : list('5');
  });
  await eventually(() => expect(times.length).toBeGreaterThanOrEqual(6));
  const pauses = times.slice(2).map((at, n) => at - (times[n + 1] ?? 0));
  // Longer ones are those of a busy machine.
  for (const [n, pause] of pauses.entries()) expect(pause).toBeGreaterThan(190 * 2 ** n);
});

it('leaves a server alone for as long as it wants to be', async () => {
  const times: number[] = [];
  await follow((isWatch) => {
    if (!isWatch) return list('5');
    times.push(performance.now());
    return times.length === 1
      ? answer(429, { reason: 'TooManyRequests', message: 'later' }, { 'retry-after': '1' })
      : watch([]);
  });
  await eventually(() => expect(troubles).toEqual(['later (429 TooManyRequests)', null]));
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(990);
});
