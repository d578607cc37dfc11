import { describeWithEngine } from '../support/containers/container-engine';
import { ServiceContainer } from '../support/containers/service-container';
import { build, IMAGES } from '../support/containers/service-images';
import { call } from '../support/service/http';
import { signInByForm } from '../support/web-interface/browser-cookie';
import { exactGet } from '../support/web-interface/exact-get';
import { isLong } from '../support/rounds';

/** On a busy machine: it is fetched through npm. */
const BUILD_MS = 20 * 60_000;

/** One more build is for the long tests. */
const itWhenLong = isLong ? it : it.skip;

describeWithEngine('the web interface in the image', () => {
  it('is there only if it is built with it', async () => {
    const { url } = await ServiceContainer.start('without-interface');
    const { status, body } = await call<string>({ url }, 'GET', '/');
    expect(status).toBe(200);
    expect(body).toContain('href="/docs"');
    expect((await call({ url }, 'GET', '/conversations')).status).toBe(404);
  });

  itWhenLong(
    'is served to who signs in with the key of the first start',
    async () => {
      await build(IMAGES.withInterface, '--build-arg', 'WEB_INTERFACE=yes', '.');
      const container = await ServiceContainer.start('with-interface', [], IMAGES.withInterface);
      const { url } = container;
      const visitor = await call({ url }, 'GET', '/');
      expect([visitor.status, visitor.headers.location]).toEqual([302, '/login']);
      expect((await call<string>({ url }, 'GET', '/login')).body).toContain('Your key');
      const cookie = await signInByForm({ url }, await container.ownerKey());
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
    BUILD_MS,
  );
});
