import { codeOf, GatewayFixture } from '../../support/model-provider/gateway-fixture';
import { makeCaller, makeKey, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';

let gateway: GatewayFixture;
beforeAll(async () => {
  gateway = await GatewayFixture.start();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.close());

describe('a key', () => {
  const asked = async (authorization: string): Promise<unknown[]> => {
    const answer = await gateway.chat({}, { authorization });
    expect(gateway.provider.calls).toEqual([]);
    return [answer.status, codeOf(answer)];
  };
  const REFUSED = [401, 'model_key_invalid'];

  it('of nobody, of a person, or changed opens nothing', async () => {
    const key = gateway.keyOf();
    const { key: ofPerson } = await makeKey(gateway.app.db, gateway.owner.userId);
    const changed = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
    for (const wrong of ['', 'Basic YTpi', 'Bearer x', `Bearer ${ofPerson}`, `Bearer ${changed}`])
      expect(await asked(wrong)).toEqual(REFUSED);
  });

  it('of a conversation that is not there opens nothing', async () => {
    const unknown = gateway.keyOf('7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11');
    expect(await asked(`Bearer ${unknown}`)).toEqual(REFUSED);
  });

  it.each([
    ['deleted', 'UPDATE conversations SET deleted_at = now() WHERE id = $1'],
    [
      'paused',
      `UPDATE sandboxes SET status = 'PAUSED' WHERE id = (SELECT sandbox_id FROM conversations WHERE id = $1)`,
    ],
    [
      'stopping',
      `UPDATE sandboxes SET stopping = 'delete' WHERE id = (SELECT sandbox_id FROM conversations WHERE id = $1)`,
    ],
    [
      'left by its creator',
      'DELETE FROM org_members WHERE user_id = (SELECT created_by_user_id FROM conversations WHERE id = $1)',
    ],
  ])('of a conversation that is %s opens nothing', async (_what, sql) => {
    const { db } = gateway.app;
    const id = await gateway.conversationOf(await makeCaller(db, (await makeOrg(db)).id));
    await db.query(sql, [id]);
    expect(await asked(`Bearer ${gateway.keyOf(id)}`)).toEqual(REFUSED);
  });

  it('ends with its sandbox, while calls are made', async () => {
    const { db } = gateway.app;
    const id = await gateway.conversationOf(await makeCaller(db, (await makeOrg(db)).id));
    const headers = { authorization: `Bearer ${gateway.keyOf(id)}` };
    expect((await gateway.chat({}, headers)).status).toBe(200);
    await db.query(
      `UPDATE sandboxes SET status = 'PAUSED' WHERE id = (SELECT sandbox_id FROM conversations WHERE id = $1)`,
      [id],
    );
    const answer = await gateway.chat({}, headers);
    expect([answer.status, codeOf(answer)]).toEqual(REFUSED);
    expect(gateway.provider.calls).toHaveLength(1);
  });

  it('of another organization calls with what that one has, and is counted there', async () => {
    const { db } = gateway.app;
    const model = 'openai/of-the-first';
    const saved = { model, base_url: gateway.provider.baseUrl, api_key: 'sk-of-the-first' };
    await gateway.saveProfile(saved, 'organization');
    await gateway.saveProfile(saved);
    const other = await makeCaller(db, (await makeOrg(db)).id, 'owner');
    const id = await gateway.conversationOf(other);
    await gateway.seen();
    expect((await gateway.chat({ model }, { authorization: `Bearer ${gateway.keyOf(id)}` })).status).toBe(
      200,
    );
    expect(gateway.provider.calls[0]?.headers.authorization).toBe('Bearer sk-of-the-installation');
    await gateway.ledger(1);
    expect(await db.query('SELECT org_id, user_id, conversation_id FROM model_calls')).toEqual([
      { org_id: other.orgId, user_id: other.userId, conversation_id: id },
    ]);
  });

  it('of a conversation opens nothing but the gateway', async () => {
    const key = gateway.keyOf();
    for (const path of ['/api/v1/users/me', '/api/v1/app-conversations/search', '/api/organizations'])
      expect((await call(gateway.app, 'GET', path, { key })).status).toBe(401);
    const headers = { 'X-Session-API-Key': key };
    const secrets = await fetch(`${gateway.app.url}/api/v1/users/me?expose_secrets=true`, { headers });
    expect(secrets.status).toBe(401);
  });
});
