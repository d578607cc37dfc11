import { AnnouncementsModule } from '../../../examples/announcements/announcements.module';
import { openApiDocument } from '../../../src/http';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' }, extensions: [AnnouncementsModule] });
});
afterAll(() => app.close());

describe('an extension', () => {
  it('has credentials, permissions and checks of requests like the service itself', async () => {
    const { id } = await makeOrg(app.db);
    const owner = await makeCaller(app.db, id, 'owner');
    const member = await makeCaller(app.db, id, 'member');
    const path = `/api/organizations/${id}/announcements`;
    const send = (body: unknown, key?: string) =>
      call(app, 'POST', path, key === undefined ? { body } : { key, body });

    expect((await send({ text: 'Hello.' })).status).toBe(401);
    expect((await send({ text: 'Hello.' }, member.key)).status).toBe(403);
    expect((await send({ text: ' ' }, owner.key)).status).toBe(422);
    expect(await send({ text: ' Hello. ' }, owner.key)).toMatchObject({
      status: 200,
      body: { text: 'Hello.' },
    });
    expect((await call(app, 'GET', path, { key: member.key })).body).toMatchObject({
      items: [{ text: 'Hello.' }],
    });
  });

  it('is in the OpenAPI document', () => {
    const { post } = openApiDocument(app.app).paths['/api/organizations/{org_id}/announcements'] ?? {};
    expect(Object.keys(post?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '401', '403', '413', '422', '503']),
    );
  });
});
