import { startTestApp, type TestApp } from '../../support/service/app';
import { storeConversation, storeSandbox } from '../../support/queue/conversation-rows';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

describe('a sandbox in ERROR that is being deleted', () => {
  let app: TestApp;
  // Nobody takes the job that deletes it.
  beforeAll(async () => (app = await startTestApp({ env: { APP_ROLE: 'api' } })));
  afterAll(() => app.close());

  it('is STOPPING, and no longer in ERROR, for messages and wherever it shows', async () => {
    const caller = await makeCaller(app.db, (await makeOrg(app.db)).id);
    const owner = { org_id: caller.orgId, created_by_user_id: caller.userId };
    const sandboxId = await storeSandbox(app.db, owner, { status: 'ERROR' });
    const { id } = await storeConversation(app.db, { ...owner, sandbox_id: sandboxId });
    const send = () =>
      call<ErrorBody>(app, 'POST', `/api/v1/app-conversations/${id}/send-message`, {
        key: caller.key,
        body: { content: [{ type: 'text', text: 'Hello' }] },
      });
    expect((await send()).status).toBe(503);
    const path = `/api/v1/sandboxes/${sandboxId}`;
    expect((await call(app, 'DELETE', path, { key: caller.key })).status).toBe(200);
    const { status, body } = await send();
    expect(status).toBe(409);
    expect(body.detail).toContain('STOPPING');
    const shown = await call<{ sandbox_status: string }>(app, 'GET', `/api/v1/app-conversations/${id}`, {
      key: caller.key,
    });
    expect(shown.body.sandbox_status).toBe('PAUSED');
    const resumed = await call<ErrorBody>(app, 'POST', `${path}/resume`, { key: caller.key });
    expect([resumed.status, resumed.body.code]).toEqual([409, 'sandbox_not_resumable']);
  });
});
