import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';
import { ConversationService } from '../../support/service/conversation-service';
import {
  makeCaller,
  makeKey,
  makeMember,
  makeOrg,
  makeUser,
  type TestCaller,
} from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

const MODEL_KEY = 'sk-the-key-of-the-user';
const PROFILE_KEY = 'sk-the-key-of-a-profile';
const HIDDEN = ['sk-the-key-of-the-installation', 'sk-the-key-of-the-organization'] as const;
const PATH = '/api/v1/users/me?expose_secrets=true';

interface Me {
  readonly llm_model: string | null;
  readonly llm_api_key: string | null;
  readonly llm_base_url: string | null;
  readonly llm_profiles: { readonly profiles: Record<string, unknown>; readonly active: string | null };
}

interface OwnSandbox {
  readonly id: string;
  readonly key: string;
}

const model = (api_key: string) => ({
  llm: { model: 'openai/fast', base_url: 'https://fast.example.com', api_key },
});

describe('GET /api/v1/users/me with expose_secrets', () => {
  let service: ConversationService;
  let own: OwnSandbox;

  const settle = (caller: Pick<TestCaller, 'key'>, body: object) =>
    call(service.app, 'POST', '/api/v1/settings', { key: caller.key, body });

  /** A running sandbox of a caller. */
  const sandboxOf = async ({ key }: Pick<TestCaller, 'key'>): Promise<OwnSandbox> => {
    const started = await call<{ id: string }>(service.app, 'POST', '/api/v1/sandboxes', { key });
    const { id } = started.body;
    return eventually(async () => {
      const { body } = await call<{ session_api_key: string | null }[]>(
        service.app,
        'GET',
        `/api/v1/sandboxes?id=${id}`,
        { key },
      );
      const sessionKey = body[0]?.session_api_key ?? null;
      if (sessionKey === null) throw new Error('It does not run yet.');
      return { id, key: sessionKey };
    });
  };

  const ask = (key: string, headers: Readonly<Record<string, string>> = {}, path = PATH) =>
    call<Me & ErrorBody>(service.app, 'GET', path, {
      headers: { Authorization: `Bearer ${key}`, ...headers },
    });

  const expectDenied = async (key: string, sandboxKey: string | null, headers = {}): Promise<void> => {
    const proof = sandboxKey === null ? {} : { 'X-Session-API-Key': sandboxKey };
    const denied = await ask(key, { ...proof, ...headers });
    expect(denied).toMatchObject({ status: 403, body: { code: 'sandbox_key_required' } });
    expect(JSON.stringify(denied.body)).not.toContain('sk-');
  };

  beforeAll(async () => {
    service = await ConversationService.start({
      LLM_MODEL: 'openai/of-the-house',
      LLM_BASE_URL: 'https://house.example.com/v1',
      LLM_API_KEY: HIDDEN[0],
    });
    own = await sandboxOf(service.owner);
  });
  afterAll(() => service.close());

  it('gives the key of the model that the user keeps, to who has a running sandbox of theirs as well', async () => {
    await settle(service.owner, {
      llm_model: 'openai/own',
      llm_base_url: 'https://own.example.com/v1',
      llm_api_key: MODEL_KEY,
    });
    const { status, body, headers } = await ask(service.owner.key, { 'X-Session-API-Key': own.key });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      llm_model: 'openai/own',
      llm_base_url: 'https://own.example.com/v1',
      llm_api_key: MODEL_KEY,
    });
    expect(headers['cache-control']).toContain('no-store');
  });

  it('gives the keys of the user’s own profiles, and none of the organization’s', async () => {
    const { orgId, key } = service.owner;
    await service.call('POST', '/api/v1/settings/profiles/Mine', { body: model(PROFILE_KEY) });
    await service.call('POST', `/api/organizations/${orgId}/profiles/Ours`, { body: model(HIDDEN[1]) });
    const { body } = await ask(key, { 'X-Session-API-Key': own.key });
    const shown = { model: 'openai/fast', base_url: 'https://fast.example.com' };
    expect(body.llm_profiles.profiles).toEqual({
      Mine: { ...shown, api_key: PROFILE_KEY },
      Ours: { ...shown, api_key: null },
    });
    for (const hidden of HIDDEN) expect(JSON.stringify(body)).not.toContain(hidden);
  });

  it('gives no key where the model is the installation’s or the organization’s', async () => {
    const { orgId } = service.owner;
    const colleague = await makeCaller(service.app.db, orgId);
    const sandbox = await sandboxOf(colleague);
    const withProof = () => ask(colleague.key, { 'X-Session-API-Key': sandbox.key });
    expect((await withProof()).body).toMatchObject({ llm_model: 'openai/of-the-house', llm_api_key: null });
    const agent = `/api/organizations/${orgId}/agent-profiles/Ours`;
    await service.call('POST', agent, { body: { llm_profile_ref: 'Ours' } });
    await service.call('POST', `${agent}/activate`);
    expect((await withProof()).body).toMatchObject({ llm_model: 'openai/fast', llm_api_key: null });
    await service.call('DELETE', agent);
    await service.call('POST', `/api/organizations/${orgId}/profiles/Ours/activate`);
    const { status, body } = await withProof();
    expect([status, body.llm_model, body.llm_api_key]).toEqual([200, 'openai/fast', null]);
    expect(body.llm_profiles.active).toBe('Ours');
  });

  it('gives none of it without being asked to', async () => {
    const { status, body } = await ask(
      service.owner.key,
      { 'X-Session-API-Key': own.key },
      '/api/v1/users/me',
    );
    expect([status, body.llm_api_key]).toEqual([200, null]);
    expect(Object.keys(body.llm_profiles.profiles).sort()).toEqual(['Mine', 'Ours']);
    expect(JSON.stringify(body)).not.toContain('sk-');
  });

  it('is refused without the key of a sandbox', () => expectDenied(service.owner.key, null));

  it('is refused with a key of no sandbox, the user’s own among them', async () => {
    for (const key of ['', 'x'.repeat(43), service.owner.key]) await expectDenied(service.owner.key, key);
  });

  it('is refused with the key of another user’s sandbox, to either of them', async () => {
    const colleague = await makeCaller(service.app.db, service.owner.orgId);
    await expectDenied(colleague.key, own.key);
    await expectDenied(service.owner.key, (await sandboxOf(colleague)).key);
  });

  it('is refused with the key of a sandbox in another organization', async () => {
    const { db } = service.app;
    const elsewhere = await makeOrg(db);
    const user = await makeMember(db, elsewhere.id, 'owner', {
      ...(await makeUser(db)),
      id: service.owner.userId,
    });
    const bound = await makeKey(db, user.id, { orgId: elsewhere.id });
    await expectDenied(bound.key, own.key);
    await expectDenied(service.owner.key, own.key, { 'X-Org-Id': elsewhere.id });
  });

  it('is a 401 without a key of the user, whatever sandbox there is', async () => {
    const onlySandbox = await call(service.app, 'GET', PATH, { headers: { 'X-Session-API-Key': own.key } });
    expect(onlySandbox.status).toBe(401);
    expect((await ask('ocs_unknown', { 'X-Session-API-Key': own.key })).status).toBe(401);
  });

  it('is refused once the sandbox is paused or deleted, and its key reads no secrets any more', async () => {
    await service.call('POST', '/api/v1/secrets', { body: { name: 'TOKEN', value: 'sk-token' } });
    const secrets = (name = '') =>
      call<ErrorBody>(service.app, 'GET', `/api/v1/sandboxes/${own.id}/settings/secrets${name}`, {
        headers: { 'X-Session-API-Key': own.key },
      });
    expect((await secrets('/TOKEN')).body).toBe('sk-token');
    await service.call('POST', `/api/v1/sandboxes/${own.id}/pause`);
    for (const name of ['', '/TOKEN'])
      expect(await secrets(name)).toMatchObject({ status: 409, body: { code: 'sandbox_not_running' } });
    await expectDenied(service.owner.key, own.key);
    await service.call('DELETE', `/api/v1/sandboxes/${own.id}`);
    await eventually(async () => {
      expect((await secrets('/TOKEN')).status).not.toBe(409);
    });
    for (const name of ['', '/TOKEN']) expect([401, 404]).toContain((await secrets(name)).status);
    await expectDenied(service.owner.key, own.key);
  });

  it('reads no secrets of who has left the organization', async () => {
    const leaver = await makeCaller(service.app.db, service.owner.orgId);
    const sandbox = await sandboxOf(leaver);
    await call(service.app, 'POST', '/api/v1/secrets', {
      key: leaver.key,
      body: { name: 'A', value: 'sk-a' },
    });
    await service.app.db.query('DELETE FROM org_members WHERE user_id = $1', [leaver.userId]);
    const path = `/api/v1/sandboxes/${sandbox.id}/settings/secrets/A`;
    const { status } = await call(service.app, 'GET', path, {
      headers: { 'X-Session-API-Key': sandbox.key },
    });
    expect(status).toBe(404);
    // Roles are remembered for a moment.
    await eventually(async () => {
      expect((await ask(leaver.key, { 'X-Session-API-Key': sandbox.key })).status).toBe(403);
    });
  });
});

describe('the key of an agent server that several sandboxes share', () => {
  it('proves nobody’s sandbox', async () => {
    const doubled = await DoubledService.start();
    try {
      const { app, owner } = doubled.service;
      await doubled.conversation();
      const headers = {
        Authorization: `Bearer ${owner.key}`,
        'X-Session-API-Key': doubled.double.target.apiKey,
      };
      expect(await call(app, 'GET', PATH, { headers })).toMatchObject({
        status: 403,
        body: { code: 'sandbox_key_required' },
      });
    } finally {
      await doubled.close();
    }
  });
});
