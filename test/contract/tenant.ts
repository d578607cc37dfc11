import { randomUUID } from 'node:crypto';
import { storeConversation, storeSandbox } from '../support/queue/conversation-rows';
import { Directory } from '../support/scim/directory';
import type { TestApp } from '../support/service/app';
import { makeKey, makeMember, makeOrg, type TestCaller, type TestUser } from '../support/service/factories';
import { call } from '../support/service/http';
import { agentEvent, storeEvents } from '../support/streams/stored-events';
import { startSession } from '../support/web-interface/browser-cookie';
import type { DocumentedOperation } from './operations';

/** The body that the document shows first, which is valid. */
export function exampleOf({ operation }: Pick<DocumentedOperation, 'operation'>): unknown {
  const body = operation.requestBody;
  if (body === undefined || '$ref' in body) return undefined;
  const [example] = Object.values(body.content['application/json']?.examples ?? {});
  return example === undefined || '$ref' in example ? undefined : (example.value as unknown);
}

/** Ids for which paths have the same parameter as for another one. */
const OTHERS: Readonly<Record<string, RegExp>> = {
  service_key_id: /service-accounts.* key_id$/,
  own_session_id: /^\/api\/sessions/,
  own_credential_id: /^\/api\/v1\/git\/.* credential_id$/,
};

/** Ids that query parameters name, by the path and their names. */
const IN_QUERY: Readonly<Record<string, string>> = {
  '/api/organizations/{org_id}/sessions user_id': 'owner_id',
  '/api/v1/app-conversations ids': 'conversation_id',
  '/api/v1/app-conversations/count sandbox_id__eq': 'sandbox_id',
  '/api/v1/app-conversations/search sandbox_id__eq': 'sandbox_id',
  '/api/v1/app-conversations/start-tasks ids': 'task_id',
  '/api/v1/app-conversations/start-tasks/count conversation_id__eq': 'conversation_id',
  '/api/v1/app-conversations/start-tasks/search conversation_id__eq': 'conversation_id',
  '/api/v1/conversation/{conversation_id}/events ids': 'event_id',
  '/api/v1/sandboxes id': 'sandbox_id',
};

type Named = Pick<DocumentedOperation, 'path' | 'operation'>;

/** The query parameters of an operation, by name, and whether they have to be there. */
function queryOf({ operation }: Named): { name: string; required?: boolean }[] {
  return (operation.parameters ?? []).flatMap((parameter) =>
    !('$ref' in parameter) && parameter.in === 'query' ? parameter : [],
  );
}

/** An id of the same form, of which there is nothing anywhere. */
function likeId(id: string): string {
  if (/^\d+$/.test(id)) return '2000000000';
  return /^[\da-f]{8}-/.test(id) && !id.includes('.') ? randomUUID() : `no-${id}`;
}

/** Whether an operation is about something that its path or query names, beside the organization. */
export function isOfSomething(named: Named): boolean {
  const { path } = named;
  const inQuery = queryOf(named).some(({ name }) => `${path} ${name}` in IN_QUERY);
  return inQuery || path.replace('{org_id}', '').includes('{');
}

/** An organization in which there is one of everything that a path can name. */
export class Tenant {
  private constructor(
    readonly owner: TestCaller,
    /** The ids of what is there, by the parameters of paths; some differ by what the path begins with. */
    private readonly ids: Readonly<Record<string, string>>,
  ) {}

  /** @param person who owns it and made everything in it; a new user unless given */
  static async make(
    app: TestApp,
    operations: readonly DocumentedOperation[],
    person?: TestUser,
  ): Promise<Tenant> {
    const { id: orgId } = await makeOrg(app.db);
    const { id: userId, email } = await makeMember(app.db, orgId, 'owner', person);
    const { id: keyId, key } = await makeKey(app.db, userId, { orgId });
    const owner: TestCaller = { orgId, userId, email, keyId, key, role: 'owner' };
    const org = `/api/organizations/${orgId}`;
    const post = async (path: string, body?: unknown): Promise<Record<string, unknown>> => {
      const response = await call<Record<string, unknown>>(app, 'POST', path, { key, body });
      if (response.status >= 400) throw new Error(`${path}: ${JSON.stringify(response.body)}`);
      return response.body;
    };
    /** Makes what the document shows. @returns its id */
    const made = async (below: string, filled = below): Promise<string> => {
      const path = `/api/organizations/{org_id}${below}`;
      const operation = operations.find((each) => each.method === 'POST' && each.path === path);
      if (operation === undefined) throw new Error(`Nothing is made at ${path}.`);
      return String((await post(`${org}${filled}`, exampleOf(operation)))['id']);
    };

    const by = { org_id: orgId, created_by_user_id: userId };
    const sandbox_id = await storeSandbox(app.db, by, { status: 'PAUSED' });
    const { id: conversation_id } = await storeConversation(app.db, { ...by, sandbox_id });
    const task_id = randomUUID();
    await app.db.query(
      `INSERT INTO start_tasks (id, org_id, created_by_user_id, conversation_id, sandbox_id, status, request, deadline_at)
       VALUES ($1, $2, $3, $4, $5, 'READY', '{}', now())`,
      [task_id, orgId, userId, conversation_id, sandbox_id],
    );
    const event_id = randomUUID();
    await storeEvents(app, conversation_id, [agentEvent({ id: event_id })]);
    const message = { content: [{ type: 'text', text: 'Later.' }] };
    const waiting = await post(`/api/v1/conversations/${conversation_id}/pending-messages`, message);

    const account_id = await made('/service-accounts');
    const webhook_id = await made('/webhooks');
    await post(`${org}/webhooks/${webhook_id}/test`);
    const deliveries = await call<{ items: { id: string }[] }>(
      app,
      'GET',
      `${org}/webhooks/${webhook_id}/deliveries`,
      { key },
    );
    const invited = await post(`${org}/members/invite`, { emails: [`${randomUUID()}@example.com`] });
    const directory = await Directory.make(app, owner);
    const group = await directory.sent('POST', '/Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Platform',
    });
    const name = `of-${orgId}`;
    await post(`${org}/profiles/${name}`, { llm: { model: 'openai/gpt-5' } });
    await post(`${org}/agent-profiles/${name}`, { llm_profile_ref: name });
    await post(`/api/v1/settings/profiles/${name}`, { llm: { model: 'openai/gpt-5' } });
    await post(`/api/agent-profiles/${name}`, { llm_profile_ref: name });
    await post('/api/v1/secrets', { name: 'OF_A_TENANT', value: 'secret' });
    const login = { url_prefix: `https://${orgId}.example.org`, username: 'x', password: 'secret' };
    const own_credential_id = String((await post('/api/v1/git/credentials', login))['id']);
    const domain = `${orgId}.example.org`;
    await post(`${org}/domains`, { domain });
    await Promise.all([startSession(app, key), startSession(app, key)]);
    const [ids] = await app.db.query<[Record<string, string>]>(
      `SELECT (SELECT max(id) FROM browser_sessions WHERE api_key_id = $1) AS session_id,
              (SELECT min(id) FROM browser_sessions WHERE api_key_id = $1) AS own_session_id,
              (SELECT id FROM scim_tokens WHERE org_id = $2) AS token_id,
              (SELECT id FROM invitations WHERE org_id = $2) AS invitation_id`,
      [keyId, orgId],
    );
    if (invited['failed'] === undefined) throw new Error('The invitation was not answered.');
    const provider_id = randomUUID();
    await app.db.query(
      `INSERT INTO identity_providers (id, org_id, name, issuer, client_id, audience)
       VALUES ($1, $2, 'Company', 'https://idp.example.com', 'agents', $3)`,
      [provider_id, orgId, `urn:audience:${provider_id}`],
    );
    const service_key_id = await made(
      '/service-accounts/{account_id}/keys',
      `/service-accounts/${account_id}/keys`,
    );
    const { id: hold_id } = await post(`${org}/legal-holds`, { conversation_id, reason: 'Case 2026-117' });
    const { id: budget_id } = await post(`${org}/budgets`, {
      scope: 'organization',
      period: 'month',
      limit_usd: 9,
    });
    const { id: user_id } = await makeMember(app.db, orgId);
    await post(`${org}/budgets`, { scope: 'user', subject: user_id, period: 'month', limit_usd: 9 });
    return new Tenant(owner, {
      ...ids,
      user_id,
      key_id: String(keyId),
      service_key_id,
      conversation_id,
      id: conversation_id,
      event_id,
      sandbox_id,
      message_id: String(waiting['id']),
      account_id,
      webhook_id,
      delivery_id: deliveries.body.items[0]?.id ?? '',
      group_id: group.id,
      role_id: await made('/roles'),
      credential_id: await made('/git-credentials'),
      connection_id: await made('/provider-connections'),
      provider_id,
      domain,
      name,
      path: 'alive',
      ...{
        hold_id: String(hold_id),
        budget_id: String(budget_id),
        own_credential_id,
        secret_name: 'OF_A_TENANT',
        owner_id: userId,
        task_id,
      },
    });
  }

  get orgId(): string {
    return this.owner.orgId;
  }

  /** A path with the ids of what is there. @param orgId in place of its own */
  path(path: string, orgId = this.orgId): string {
    return path.replaceAll(/\{([^}]*)\}/g, (_, parameter: string) => {
      if (parameter === 'org_id') return orgId;
      const other = Object.entries(OTHERS).find(([, at]) => at.test(`${path} ${parameter}`));
      return this.id(other?.[0] ?? parameter);
    });
  }

  /** The path and the query of an operation with the ids of what is there, and with what else the query needs. */
  address(named: Named, orgId = this.orgId): string {
    const query = new URLSearchParams();
    for (const { name, required } of queryOf(named)) {
      const parameter = IN_QUERY[`${named.path} ${name}`];
      if (parameter !== undefined) query.set(name, this.id(parameter));
      else if (required === true) query.set(name, 'README.md');
    }
    return `${this.path(named.path, orgId)}?${query.toString()}`;
  }

  /** The same with ids of the same forms, of which there is nothing anywhere. */
  withNothing(): Tenant {
    const ids = Object.entries(this.ids).map(([parameter, id]) => [parameter, likeId(id)] as const);
    return new Tenant(this.owner, Object.fromEntries(ids));
  }

  private id(parameter: string): string {
    const id = this.ids[parameter];
    if (id === undefined) throw new Error(`There is no ${parameter}.`);
    return id;
  }
}
