import {
  answer,
  type Answer,
  ScriptedApiServer,
} from '../../../../test/support/kubernetes/scripted-api-server';
import { ApiRefusal, ApiUnavailable, isThereAlready } from './api-errors';
import { ClusterApi } from './cluster-api';

let server: ScriptedApiServer;
let api: ClusterApi;

async function with_(script: (n: number) => Answer): Promise<void> {
  server = await ScriptedApiServer.start((_, n) => script(n));
  api = new ClusterApi(server.access);
}

afterEach(async () => {
  await api.close();
  await server.stop();
});

const TOO_MANY = { reason: 'TooManyRequests', message: 'try again later' };

it('waits as long as a server says that has too much to do', async () => {
  await with_((n) => (n === 0 ? answer(429, TOO_MANY, { 'retry-after': '1' }) : answer(200, { ok: true })));
  const from = performance.now();
  await expect(api.get('/x')).resolves.toEqual({ ok: true });
  expect(performance.now() - from).toBeGreaterThan(990);
});

it('tries again when a connection breaks, and when the server changes its leader', async () => {
  await with_((n) => {
    if (n === 0) return (response) => response.destroy();
    return n === 1 ? answer(500, { message: 'etcdserver: leader changed' }) : answer(201, { name: 'a' });
  });
  await expect(api.create('/x', {})).resolves.toEqual({ name: 'a' });
  expect(server.arrived).toHaveLength(3);
});

it('tries again what somebody else changed at the same time, and not what is there already', async () => {
  const changed = { reason: 'Conflict', message: 'the object has been modified' };
  await with_((n) => {
    if (n === 0) return answer(409, changed);
    return n === 1
      ? answer(200, { ok: true })
      : answer(409, { reason: 'AlreadyExists', message: 'is there' });
  });
  await expect(api.change('/x', [])).resolves.toEqual({ ok: true });
  const refused: unknown = await api.create('/x', {}).catch((error: unknown) => error);
  expect(isThereAlready(refused)).toBe(true);
  expect(server.arrived).toHaveLength(3);
});

it.each([
  ['', 'line\n'.repeat(100_000), 64_000, false],
  ['all of ', 'line\n', 64_000, true],
])('reads %sthe end of a text', async (_, text, bytes, isWhole) => {
  await with_(() => (response) => response.end(text));
  await expect(api.end('/log', {}, bytes)).resolves.toEqual({ text: text.slice(-bytes), isWhole });
});

it('asks once where the server refuses', async () => {
  await with_(() => answer(403, { reason: 'Forbidden', message: 'exceeded quota: x' }));
  await expect(api.create('/x', {})).rejects.toThrow(new ApiRefusal(403, 'Forbidden', 'exceeded quota: x'));
  expect(server.arrived).toHaveLength(1);
});

it('gives up on a server that is away, as something that passes', async () => {
  await with_(() => answer(429, TOO_MANY, { 'retry-after': '30' }));
  await expect(api.get('/x')).rejects.toThrow(ApiUnavailable);
});

it('takes an object that is gone already for removed', async () => {
  await with_(() => answer(404, { reason: 'NotFound', message: 'sandboxes "x" not found' }));
  await expect(api.remove('/x')).resolves.toBeUndefined();
});
