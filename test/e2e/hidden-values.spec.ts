import { startTestApp, type TestApp } from '../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../support/service/factories';
import { call } from '../support/service/http';

const HIDDEN = '**********';

let app: TestApp;
let owner: TestCaller;
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
});
afterAll(() => app.close());

const send = (method: string, path: string, body: unknown) =>
  call<Record<string, unknown>>(app, method, path, { key: owner.key, body });

describe('the sign for a hidden value', () => {
  it('is no key of a profile that has none', async () => {
    await send('POST', '/api/v1/settings/profiles/A', { llm: { model: 'a/b', api_key: HIDDEN } });
    const profile = await send('GET', '/api/v1/settings/profiles/A', undefined);
    expect(profile.body).toMatchObject({ llm: { api_key_set: false } });
  });

  it('is refused for a secret and a git credential of which no value is kept', async () => {
    const secret = await send('POST', '/api/v1/secrets', { name: 'A', value: HIDDEN });
    const credential = { url_prefix: 'https://git.example.com', username: 'a', password: HIDDEN };
    const kept = await send('POST', '/api/v1/git/credentials', credential);
    expect([secret.status, kept.status]).toEqual([422, 422]);
  });
});
