import { request } from 'node:http';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';

const BODY = JSON.stringify({ name: 'ci' });

/** How a call went whose body waits to be asked for. */
interface Outcome {
  readonly status: number;
  readonly askedForBody: boolean;
  readonly connection: string | undefined;
}

describe('a request with Expect: 100-continue', () => {
  let app: TestApp;
  beforeAll(async () => (app = await startTestApp({ env: { APP_ROLE: 'api' } })));
  afterAll(() => app.close());

  /** Sends the head of `POST /api/keys`, and the body only when it is asked for. */
  function offer(key: string, length = BODY.length): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      let askedForBody = false;
      const headers = {
        'X-Access-Token': key,
        'Content-Type': 'application/json',
        'Content-Length': length,
        Expect: '100-continue',
      };
      const outgoing = request(`${app.url}/api/keys`, { method: 'POST', headers, agent: false });
      outgoing.on('continue', () => {
        askedForBody = true;
        outgoing.end(BODY);
      });
      outgoing.on('response', (incoming) => {
        resolve({
          status: incoming.statusCode ?? 0,
          askedForBody,
          connection: incoming.headers.connection,
        });
        incoming.resume();
        if (!askedForBody) outgoing.destroy();
      });
      outgoing.on('error', reject);
      outgoing.flushHeaders();
    });
  }

  it('is asked for its body once the key is known', async () => {
    const { key } = await makeCaller(app.db, (await makeOrg(app.db)).id);
    expect(await offer(key)).toMatchObject({ status: 200, askedForBody: true });
  });

  it('is answered 401 without a byte of its body, and the connection ends', async () => {
    expect(await offer(newKey())).toEqual({ status: 401, askedForBody: false, connection: 'close' });
  });

  it('is answered 413 without a byte of its body when it announces too much', async () => {
    const { key } = await makeCaller(app.db, (await makeOrg(app.db)).id);
    const response = await offer(key, 2 * 1024 * 1024 + 1);
    expect(response).toEqual({ status: 413, askedForBody: false, connection: 'close' });
  });
});
