import { report } from '../../bench/report';
import { ContainerEngine, describeWithEngine } from '../support/containers/container-engine';
import { eventually } from '../support/eventually';
import { call } from '../support/service/http';
import { freePort } from '../support/service/free-port';
import { signInByForm } from '../support/web-interface/browser-cookie';
import { exactGet } from '../support/web-interface/exact-get';

/** On a busy machine. */
const BUILD_MS = 20 * 60_000;
const PATIENCE_MS = 120_000;
const IMAGES = { withInterface: 'service:with-interface', withoutInterface: 'service:without-interface' };

describeWithEngine('the image', () => {
  const seconds: Record<string, number> = {};
  const megabytes: Record<string, number> = {};
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const before = performance.now();
    const result = await work();
    seconds[what] = Math.round((performance.now() - before) / 100) / 10;
    return result;
  };

  let engine: ContainerEngine;
  beforeAll(async () => {
    engine = await ContainerEngine.start();
    const build = (tag: string, ...args: string[]) =>
      engine.docker('build', '--network', 'host', ...args, '--tag', tag, '.');
    await timed('build', () => build(IMAGES.withInterface, '--build-arg', 'WEB_INTERFACE=yes'));
    await timed('buildWithoutInterfaceAfterwards', () => build(IMAGES.withoutInterface));
    for (const [name, tag] of Object.entries(IMAGES)) {
      const bytes = await engine.docker('image', 'inspect', '--format', '{{.Size}}', tag);
      megabytes[name] = Math.round(Number(bytes) / 1e6);
    }
  }, BUILD_MS);
  afterAll(async () => {
    await engine.stop();
    if (process.env.RECORD === 'yes') report('image', { seconds, megabytes });
  }, PATIENCE_MS);

  const inspect = (name: string, format: string) => engine.docker('inspect', '--format', format, name);
  const isReady = (url: string) =>
    eventually(async () => expect((await call({ url }, 'GET', '/ready')).status).toBe(200), PATIENCE_MS);

  /** Runs one on the network of this machine, which is all there is without rules of its firewall. */
  const run = async (name: string, image: string): Promise<string> => {
    const port = await freePort();
    const settings = { PORT: String(port), HOST: '127.0.0.1' };
    const env = Object.entries(settings).flatMap(([setting, value]) => ['--env', `${setting}=${value}`]);
    await engine.docker('run', '--detach', '--network', 'host', '--name', name, ...env, image);
    const url = `http://127.0.0.1:${port}`;
    await isReady(url);
    return url;
  };

  it(
    'serves the interface it was built with, to who signs in with the key of its first start',
    async () => {
      const url = await timed('start', () => run('web', IMAGES.withInterface));
      expect(await call({ url }, 'GET', '/ready')).toMatchObject({ status: 200, body: { status: 'ok' } });
      const visitor = await call({ url }, 'GET', '/');
      expect([visitor.status, visitor.headers.location]).toEqual([302, '/login']);
      expect((await call<string>({ url }, 'GET', '/login')).body).toContain('Your key');
      const key = await engine.docker('exec', 'web', 'cat', '/data/owner.key');
      const cookie = await signInByForm({ url }, key);
      const index = await call<string>({ url }, 'GET', '/', {
        headers: { Accept: 'text/html', Cookie: cookie },
      });
      expect(index.status).toBe(200);
      expect(index.headers['content-security-policy']).toContain("script-src 'self' 'sha256-");
      const [script = ''] = /\/assets\/[^"]+\.js/.exec(index.body) ?? [];
      const file = await exactGet({ url }, script, { 'Accept-Encoding': 'br' });
      expect([file.status, file.headers['content-encoding']]).toEqual([200, 'br']);
      expect((await call({ url }, 'GET', '/api/unknown')).status).toBe(404);
    },
    PATIENCE_MS,
  );

  it(
    'runs as an unprivileged user that cannot write the program, and says that it is healthy',
    async () => {
      expect(await engine.docker('exec', 'web', 'id', '-un')).toBe('node');
      await expect(engine.docker('exec', 'web', 'touch', '/app/dist/main.js')).rejects.toThrow(/denied/i);
      await expect(engine.docker('exec', 'web', 'touch', '/app/.cache/web-interface/x')).rejects.toThrow(
        /denied/i,
      );
      await eventually(
        async () => expect(await inspect('web', '{{.State.Health.Status}}')).toBe('healthy'),
        PATIENCE_MS,
      );
    },
    PATIENCE_MS,
  );

  it(
    'stops cleanly, and starts again with what it kept',
    async () => {
      const key = await engine.docker('exec', 'web', 'cat', '/data/owner.key');
      const port = /PORT=(\d+)/.exec(await inspect('web', '{{.Config.Env}}'))?.[1] ?? '';
      await timed('stop', () => engine.docker('stop', 'web'));
      expect(await inspect('web', '{{.State.ExitCode}}')).toBe('0');
      const url = `http://127.0.0.1:${port}`;
      await timed('startAgain', async () => {
        await engine.docker('start', 'web');
        await isReady(url);
      });
      expect((await call({ url }, 'GET', '/api/keys', { key })).status).toBe(200);
      await engine.docker('rm', '--force', '--volumes', 'web');
    },
    PATIENCE_MS,
  );

  it(
    'has no interface unless it is built with it',
    async () => {
      const url = await run('plain', IMAGES.withoutInterface);
      const { status, body } = await call<string>({ url }, 'GET', '/');
      expect(status).toBe(200);
      expect(body).toContain('href="/docs"');
      expect((await call({ url }, 'GET', '/login')).status).toBe(404);
      expect(megabytes.withoutInterface).toBeLessThan(megabytes.withInterface ?? 0);
    },
    PATIENCE_MS,
  );
});
