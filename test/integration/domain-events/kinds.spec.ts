import { Injectable, Module } from '@nestjs/common';
import {
  AUDIT_KIND,
  DOMAIN_EVENT_KINDS,
  type DomainEvent,
  type DomainEventKind,
  domainEventSchema,
  OnDomainEvent,
} from '../../../src/kernel/domain-events';
import { OrganizationDomains } from '../../../src/accounts/identity-providers';
import { AgentServerClient } from '../../../src/sandboxes/agent-server';
import { BudgetUpkeep } from '../../../src/agents/budgets';
import { newId } from '../../../src/kernel/common';
import { RetentionRuns } from '../../../src/operations/retention';
import { inviteOne, tokenOf } from '../../support/invitations/invitations';
import { eventually } from '../../support/eventually';
import { TestGitServer } from '../../support/git/git-server';
import { ConversationService } from '../../support/service/conversation-service';
import { makeCaller, makeKey, makeMember, makeUser } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { runJob } from '../../support/service/run-job';

/** As an extension has it: hears everything inside the transaction. */
@Injectable()
class Recorder {
  readonly events: DomainEvent[] = [];

  @OnDomainEvent('*')
  note(event: DomainEvent): Promise<void> {
    this.events.push(event);
    return Promise.resolve();
  }
}

@Module({ providers: [Recorder] })
class RecorderModule {}

const A_STRING: unknown = expect.any(String);
const A_NUMBER: unknown = expect.any(Number);
const text = (words: string) => [{ type: 'text', text: words }];

describe('a domain event', () => {
  let git: TestGitServer;
  let service: ConversationService;
  let recorder: Recorder;
  /** A conversation that is ready and has answered a message. */
  let conversationId: string;
  let sandboxId: string;

  beforeAll(async () => {
    git = await TestGitServer.start();
    service = await ConversationService.start({ GIT_ALLOWED_HOSTS: git.host }, undefined, {
      extensions: [RecorderModule],
    });
    recorder = service.app.app.get(Recorder);
    conversationId = await service.ready({ initial_message: { content: text('hello') } });
    await service.texts(conversationId, 'agent', 1);
    sandboxId = (await service.record(conversationId)).sandbox_id;
  });

  afterAll(async () => {
    await service.close();
    await git.close();
  });

  const owner = () => service.owner;
  const send = async <Body>(method: string, path: string, body?: unknown, key?: string): Promise<Body> => {
    const response = await call<Body>(service.app, method, path, {
      key: key ?? owner().key,
      ...(body !== undefined && { body }),
    });
    expect({ path, status: response.status, body: response.body }).toMatchObject({ status: 200 });
    return response.body;
  };
  const conversation = () => ({ org_id: owner().orgId, conversation_id: conversationId });
  const queue = (id: string, words: string) =>
    send<{ id: string }>('POST', `/api/v1/conversations/${id}/pending-messages`, { content: text(words) });
  const memberPath = (userId: string) => `/api/organizations/${owner().orgId}/members/${userId}`;

  async function ownRole(name: string): Promise<{ id: string }> {
    const path = `/api/organizations/${owner().orgId}/roles`;
    const body = { name, permissions: ['view_audit_log'] };
    const made = await call<{ id: string }>(service.app, 'POST', path, { key: owner().key, body });
    expect(made).toMatchObject({ status: 201 });
    return made.body;
  }

  const serviceAccountPath = (rest = '') => `/api/organizations/${owner().orgId}/service-accounts${rest}`;

  async function serviceAccount(): Promise<{ id: string }> {
    const body = { name: 'A service account' };
    const made = await call<{ id: string }>(service.app, 'POST', serviceAccountPath(), {
      key: owner().key,
      body,
    });
    expect(made).toMatchObject({ status: 201 });
    return made.body;
  }

  const webhookPath = (id: string) => `/api/organizations/${owner().orgId}/webhooks/${id}`;

  /** Makes something of the organization. */
  async function make<Made>(what: string, sent: object): Promise<Made> {
    const path = `/api/organizations/${owner().orgId}/${what}`;
    const { status, body } = await call<Made>(service.app, 'POST', path, { key: owner().key, body: sent });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body;
  }

  async function webhook(): Promise<{ org_id: string; webhook_id: string }> {
    const made = await make<{ id: string }>('webhooks', { url: 'https://hooks.example/x', kinds: ['*'] });
    return { org_id: owner().orgId, webhook_id: made.id };
  }

  const providerPath = (id: string) => `/api/organizations/${owner().orgId}/identity-providers/${id}`;

  async function provider(): Promise<{ org_id: string; identity_provider_id: string }> {
    const body = { name: 'Acme', issuer: 'https://sign-in.example.com', client_id: 'agents' };
    const made = await make<{ id: string }>('identity-providers', body);
    return { org_id: owner().orgId, identity_provider_id: made.id };
  }

  async function domain(name: string): Promise<{ org_id: string; domain: string; user_id: string }> {
    await make('domains', { domain: name });
    return { org_id: owner().orgId, domain: name, user_id: owner().userId };
  }

  async function scimToken() {
    const { id } = await make<{ id: string }>('scim-tokens', { name: 'A directory' });
    return { org_id: owner().orgId, scim_token_id: id, user_id: owner().userId };
  }

  async function paused(): Promise<string> {
    const id = await service.ready();
    const { sandbox_id } = await service.record(id);
    await send('POST', `/api/v1/sandboxes/${sandbox_id}/pause`);
    await eventually(async () => expect((await service.record(id)).sandbox_status).toBe('PAUSED'), 20_000);
    return id;
  }

  /** A legal hold on a new member, as its events have it. */
  async function hold() {
    const { id: user_id } = await makeMember(service.app.db, owner().orgId);
    const path = `/api/organizations/${owner().orgId}/legal-holds`;
    const made = await call<{ id: string }>(service.app, 'POST', path, {
      key: owner().key,
      body: { user_id, reason: 'A case' },
    });
    expect(made).toMatchObject({ status: 201 });
    const { orgId: org_id } = owner();
    return { org_id, legal_hold_id: made.body.id, conversation_id: null, held_user_id: user_id };
  }

  /** A budget, as its events have it. */
  async function budget() {
    const wanted = { scope: 'tag', subject: `number:${newId()}`, period: 'total', limit_usd: 1_000_000 };
    const { id: budget_id } = await make<{ id: string }>('budgets', wanted);
    const { orgId: org_id } = owner();
    const path = `/api/organizations/${org_id}/budgets/${budget_id}`;
    return { path, about: { org_id, budget_id, ...wanted, limit_tokens: null } };
  }

  /** Spends of a budget what its limit is, or a part of it. */
  async function spent(part: number) {
    const { about } = await budget();
    await service.app.db.query('UPDATE budget_spending SET spent_usd = $2 WHERE budget_id = $1', [
      about.budget_id,
      about.limit_usd * part,
    ]);
    await service.app.app.get(BudgetUpkeep).run();
    return { ...about, spent_usd: about.limit_usd * part, spent_tokens: 0, resets_at: null };
  }

  /** Does what is published, and says what is to be heard. Rows of the audit log are logged, and published to nobody. */
  const operations: Record<
    Exclude<DomainEventKind, typeof AUDIT_KIND>,
    () => Promise<Record<string, unknown>>
  > = {
    'conversation.created': async () => {
      const id = newId();
      const { sandbox_id } = await service.begin({
        conversation_id: id,
        parent_conversation_id: conversationId,
      });
      return {
        org_id: owner().orgId,
        conversation_id: id,
        created_by_user_id: owner().userId,
        parent_conversation_id: conversationId,
        sandbox_id,
      };
    },
    'conversation.updated': async () => {
      await send('PATCH', `/api/v1/app-conversations/${conversationId}`, {
        title: 'Another',
        tags: { a: 'b' },
      });
      return { ...conversation(), fields: ['title', 'tags'] };
    },
    'conversation.deleted': async () => {
      const id = await service.ready();
      await send('DELETE', `/api/v1/app-conversations/${id}`);
      return { org_id: owner().orgId, conversation_id: id };
    },
    'conversation.stopped': async () => {
      const id = await paused();
      await queue(id, 'not any more');
      const path = `/api/organizations/${owner().orgId}/conversations/${id}/stop`;
      await send('POST', path, { reason: ' The wrong repository. ' });
      return {
        org_id: owner().orgId,
        conversation_id: id,
        user_id: owner().userId,
        reason: 'The wrong repository.',
        event_id: A_STRING,
      };
    },
    'conversation.interrupted': async () => {
      const id = await service.ready();
      const wanted = { scope: 'conversation', subject: id, period: 'total', limit_usd: 1 };
      const { id: budget_id } = await make<{ id: string }>('budgets', wanted);
      await service.app.db.query('UPDATE budget_spending SET spent_usd = 1 WHERE budget_id = $1', [
        budget_id,
      ]);
      const client = service.app.app.get(AgentServerClient, { strict: false });
      const running = { id, execution_status: 'running' };
      jest.spyOn(client, 'getConversation').mockResolvedValueOnce(running);
      await runJob(service.app.app, 'budget-interrupt', { conversationId: id });
      const { orgId: org_id } = owner();
      return { org_id, conversation_id: id, budget_id, reason: A_STRING, event_id: A_STRING };
    },
    'conversation.status_changed': () =>
      Promise.resolve({ ...conversation(), start_state: 'ready', execution_status: 'finished' }),
    'start_task.status_changed': async () => {
      const [{ id }] = await service.app.db.query<[{ id: string }]>(
        'SELECT id FROM start_tasks WHERE conversation_id = $1',
        [conversationId],
      );
      return { ...conversation(), start_task_id: id, status: 'READY' };
    },
    'message.queued': async () => {
      const { id } = await queue(conversationId, 'queued');
      return { ...conversation(), queue_id: A_STRING, message_id: id, user_id: owner().userId };
    },
    'message.delivered': async () => {
      const { id } = await queue(conversationId, 'delivered');
      return { ...conversation(), queue_id: A_STRING, message_id: id };
    },
    'message.failed': async () => {
      const id = await paused();
      const message = await queue(id, 'never delivered');
      await send('DELETE', `/api/v1/app-conversations/${id}`);
      return {
        org_id: owner().orgId,
        conversation_id: id,
        queue_id: A_STRING,
        message_id: message.id,
        reason: 'The conversation was deleted.',
      };
    },
    'sandbox.status_changed': () =>
      Promise.resolve({
        org_id: owner().orgId,
        sandbox_id: sandboxId,
        status: 'RUNNING',
        stopping: false,
        status_detail: null,
      }),
    'event.received': async () => {
      const [event] = await service.events(conversationId);
      return { ...conversation(), event_id: event?.id, event_kind: event?.kind, occurred_at: A_STRING };
    },
    'invitation.created': async () => {
      const { id } = await inviteOne(service.app, owner(), 'created@example.com', 'admin');
      return { org_id: owner().orgId, invitation_id: id, role: 'admin', inviter_user_id: owner().userId };
    },
    'invitation.accepted': async () => {
      const user = await makeUser(service.app.db);
      const invitation = await inviteOne(service.app, owner(), user.email);
      const { key } = await makeKey(service.app.db, user.id);
      const body = { token: tokenOf(invitation) };
      await send('POST', '/api/organizations/members/invite/accept', body, key);
      return { org_id: owner().orgId, invitation_id: invitation.id, role: 'member', user_id: user.id };
    },
    'member.added': async () => {
      const user = await makeUser(service.app.db);
      const token = tokenOf(await inviteOne(service.app, owner(), user.email, 'admin'));
      const { key } = await makeKey(service.app.db, user.id);
      await send('POST', '/api/organizations/members/invite/accept', { token }, key);
      return { org_id: owner().orgId, user_id: user.id, role: 'admin' };
    },
    'member.role_changed': async () => {
      const { id } = await makeMember(service.app.db, owner().orgId);
      await send('PATCH', memberPath(id), { role: 'admin' });
      return { org_id: owner().orgId, user_id: id, role: 'admin', previous_role: 'member' };
    },
    'member.removed': async () => {
      const { userId, key } = await makeCaller(service.app.db, owner().orgId, 'member');
      await send('DELETE', memberPath(userId), undefined, key);
      return { org_id: owner().orgId, user_id: userId };
    },
    'member.sign_in_link_created': async () => {
      const { id } = await makeMember(service.app.db, owner().orgId);
      const { status } = await call(service.app, 'POST', `${memberPath(id)}/sign-in-link`, owner());
      expect(status).toBe(201);
      return { org_id: owner().orgId, user_id: id, made_by_user_id: owner().userId };
    },
    'role.created': async () => {
      const { id } = await ownRole('Created');
      return { org_id: owner().orgId, role_id: id, user_id: owner().userId };
    },
    'role.updated': async () => {
      const { id } = await ownRole('Updated');
      const body = { name: 'Updated', permissions: ['view_org_conversations'] };
      await send('PATCH', `/api/organizations/${owner().orgId}/roles/${id}`, body);
      const fields = ['permissions'];
      return { org_id: owner().orgId, role_id: id, user_id: owner().userId, fields };
    },
    'role.deleted': async () => {
      const { id } = await ownRole('Deleted');
      await send('DELETE', `/api/organizations/${owner().orgId}/roles/${id}`);
      return { org_id: owner().orgId, role_id: id, user_id: owner().userId };
    },
    'service_account.created': async () => {
      const { id } = await serviceAccount();
      return { org_id: owner().orgId, service_account_id: id, user_id: owner().userId };
    },
    'service_account.updated': async () => {
      const { id } = await serviceAccount();
      await send('PATCH', serviceAccountPath(`/${id}`), { name: 'A service account', role: 'admin' });
      const fields = ['role'];
      return { org_id: owner().orgId, service_account_id: id, user_id: owner().userId, fields };
    },
    'service_account.deleted': async () => {
      const { id } = await serviceAccount();
      await send('DELETE', serviceAccountPath(`/${id}`));
      return { org_id: owner().orgId, service_account_id: id, user_id: owner().userId };
    },
    'settings.updated': async () => {
      await send('POST', '/api/organizations/app', { enable_proactive_conversation_starters: false });
      return {
        org_id: owner().orgId,
        user_id: null,
        fields: ['enable_proactive_conversation_starters'],
      };
    },
    'api_key.created': async () => {
      const { id } = await send<{ id: number }>('POST', '/api/keys', { name: 'A key' });
      return { org_id: owner().orgId, user_id: owner().userId, api_key_id: id };
    },
    'api_key.revoked': async () => {
      const { id } = await makeKey(service.app.db, owner().userId);
      await send('DELETE', `/api/keys/${id}`);
      return { org_id: null, user_id: owner().userId, api_key_id: id };
    },
    'identity_provider.created': async () => ({ ...(await provider()), user_id: owner().userId }),
    'identity_provider.updated': async () => {
      const made = await provider();
      const path = providerPath(made.identity_provider_id);
      await send('PATCH', path, { default_role: 'member', group_claim: 'groups' });
      return { ...made, user_id: owner().userId, fields: ['default_role'] };
    },
    'identity_provider.deleted': async () => {
      const made = await provider();
      await send('DELETE', providerPath(made.identity_provider_id));
      return { ...made, user_id: owner().userId };
    },
    'identity_domain.added': () => domain('added.example.com'),
    'identity_domain.verified': async () => {
      const named = await domain('verified.example.com');
      await service.app.app.get(OrganizationDomains).verify(owner().orgId, named.domain, owner().userId);
      return named;
    },
    'identity_domain.removed': async () => {
      const named = await domain('removed.example.com');
      await send('DELETE', `/api/organizations/${owner().orgId}/domains/${named.domain}`);
      return named;
    },
    'scim_token.created': scimToken,
    'scim_token.revoked': async () => {
      const made = await scimToken();
      await send('DELETE', `/api/organizations/${owner().orgId}/scim-tokens/${made.scim_token_id}`);
      return made;
    },
    'scim_group.role_changed': async () => {
      const id = newId();
      await service.app.db.query('INSERT INTO scim_groups (org_id, id, resource) VALUES ($1, $2, $3)', [
        owner().orgId,
        id,
        { displayName: 'A group' },
      ]);
      await send('PUT', `/api/organizations/${owner().orgId}/scim-groups/${id}`, { role: 'admin' });
      return { org_id: owner().orgId, scim_group_id: id, user_id: owner().userId, role: 'admin' };
    },
    'api_key.rotated': async () => {
      const { id } = await makeKey(service.app.db, owner().userId);
      const made = await send<{ id: number }>('POST', `/api/keys/${id}/rotate`, {});
      return {
        org_id: null,
        user_id: owner().userId,
        api_key_id: id,
        new_api_key_id: made.id,
        ends_at: expect.any(String) as unknown,
      };
    },
    'api_key.reported': async () => {
      const { id, key } = await makeKey(service.app.db, owner().userId);
      await send('POST', '/api/keys/report', { key });
      return { org_id: null, user_id: owner().userId, api_key_id: id };
    },
    'webhook.created': async () => ({ ...(await webhook()), user_id: owner().userId }),
    'webhook.updated': async () => {
      const made = await webhook();
      await send('PATCH', webhookPath(made.webhook_id), { kinds: ['message.*'], description: '' });
      return { ...made, user_id: owner().userId, fields: ['kinds'] };
    },
    'webhook.deleted': async () => {
      const made = await webhook();
      await send('DELETE', webhookPath(made.webhook_id));
      return { ...made, user_id: owner().userId };
    },
    'webhook.disabled': async () => {
      const made = await webhook();
      await send('POST', `${webhookPath(made.webhook_id)}/disable`);
      return { ...made, reason: 'by_request' };
    },
    'retention.due': async () => {
      await paused();
      await send('PUT', `/api/organizations/${owner().orgId}/retention`, { conversations_days: 1 });
      await service.app.app.get(RetentionRuns, { strict: false }).run(owner().orgId, 'system');
      const due = { items: A_NUMBER, bytes: A_NUMBER, oldest_at: A_STRING, newest_at: A_STRING };
      return {
        org_id: owner().orgId,
        removal_at: A_STRING,
        due: [{ what: 'conversations', days: 1, ...due }],
      };
    },
    'legal_hold.created': async () => ({ ...(await hold()), user_id: owner().userId }),
    'legal_hold.lifted': async () => {
      const made = await hold();
      await send('DELETE', `/api/organizations/${owner().orgId}/legal-holds/${made.legal_hold_id}`);
      return { ...made, user_id: owner().userId };
    },
    'budget.created': async () => ({ ...(await budget()).about, user_id: owner().userId }),
    'budget.updated': async () => {
      const { path, about } = await budget();
      await send('PATCH', path, { limit_tokens: 7 });
      return { ...about, limit_tokens: 7, user_id: owner().userId, fields: ['limit_tokens'] };
    },
    'budget.deleted': async () => {
      const { path, about } = await budget();
      await send('DELETE', path);
      return { ...about, user_id: owner().userId };
    },
    'budget.soft_limit_reached': () => spent(0.9),
    'budget.exhausted': () => spent(1),
    'person.erased': async () => {
      const { id } = await makeMember(service.app.db, owner().orgId);
      const asked = await call(service.app, 'POST', `/api/organizations/${owner().orgId}/erasures/${id}`, {
        key: owner().key,
      });
      expect(asked.status).toBe(202);
      return { org_id: owner().orgId, user_id: id, erasure_id: A_STRING, of_account: true };
    },
  };

  it.each(DOMAIN_EVENT_KINDS.filter((kind) => kind !== AUDIT_KIND))(
    '%s is published by the operation it is named after',
    async (kind) => {
      const expected = { kind, ...(await operations[kind]()) };
      await eventually(() => expect(recorder.events).toContainEqual(expected), 30_000);
    },
    60_000,
  );

  it('conversation.updated is published by what the agent server reports', async () => {
    // What it is called until then has no such space.
    const id = await service.ready({ initial_message: { content: text('a title  of its own') } });
    await eventually(() => {
      const updates = recorder.events.filter(
        (event) => event.kind === 'conversation.updated' && event.conversation_id === id,
      );
      expect(updates).toEqual(expect.arrayContaining([expect.objectContaining({ fields: ['title'] })]));
    });
  });

  it('conversation.status_changed is published by a start that fails', async () => {
    const id = newId();
    const task = await service.begin({ conversation_id: id, selected_repository: git.url('nothing') });
    expect((await service.ended(task.id)).status).toBe('ERROR');
    expect(recorder.events).toContainEqual({
      kind: 'conversation.status_changed',
      org_id: owner().orgId,
      conversation_id: id,
      start_state: 'failed',
      execution_status: null,
    });
  });

  it('message.queued has the organization of a message whose conversation does not exist yet', async () => {
    const id = newId();
    const message = await queue(id, 'early');
    expect(recorder.events).toContainEqual({
      kind: 'message.queued',
      org_id: owner().orgId,
      conversation_id: null,
      queue_id: A_STRING,
      message_id: message.id,
      user_id: owner().userId,
    });
  });

  it('member.role_changed is not published where the member has the role already', async () => {
    const { id } = await makeMember(service.app.db, owner().orgId);
    await send('PATCH', memberPath(id), { role: 'member' });
    const changes = recorder.events.filter(
      (event) => event.kind === 'member.role_changed' && event.user_id === id,
    );
    expect(changes).toEqual([]);
  });

  it('member.role_changed names the own roles that a member gets and loses', async () => {
    const { id } = await makeMember(service.app.db, owner().orgId, 'admin');
    const role = await ownRole('Given and taken');
    await send('PATCH', memberPath(id), { own_role_id: role.id });
    await send('PATCH', memberPath(id), { own_role_id: null });
    const changes = recorder.events.filter(
      (event) => event.kind === 'member.role_changed' && event.user_id === id,
    );
    expect(changes).toMatchObject([
      { role: 'member', previous_role: 'admin', own_role_id: role.id, previous_own_role_id: null },
      { role: 'member', previous_role: 'member', own_role_id: null, previous_own_role_id: role.id },
    ]);
  });

  it('sandbox.status_changed is published by the start of a new one', () => {
    expect(recorder.events).toContainEqual(
      expect.objectContaining({
        kind: 'sandbox.status_changed',
        sandbox_id: sandboxId,
        status: 'STARTING',
        stopping: false,
      }),
    );
  });

  it('is not published by a change that changes nothing, and has no field that stays as it was', async () => {
    const marketplaces = [{ name: 'ours', source: 'github:ours/plugins' }];
    const save = async (): Promise<void> => {
      await send('PATCH', `/api/v1/app-conversations/${conversationId}`, { tags: { n: 1, m: [2] } });
      await send('POST', '/api/organizations/app', { registered_marketplaces: marketplaces });
      await send('POST', '/api/users/app', { registered_marketplaces: marketplaces });
    };
    const changes = () =>
      recorder.events.filter(({ kind }) => kind === 'settings.updated' || kind === 'conversation.updated');
    await save();
    const before = changes().length;
    await save();
    expect(changes().length).toBe(before);
    const partly = { enable_proactive_conversation_starters: true, registered_marketplaces: marketplaces };
    await send('POST', '/api/organizations/app', partly);
    expect(changes().slice(before)).toEqual([
      expect.objectContaining({ fields: ['enable_proactive_conversation_starters'] }),
    ]);
  });

  it('is published once for each change', () => {
    const once = recorder.events.filter(({ kind }) =>
      ['created', 'deleted', 'queued', 'delivered', 'received', 'accepted'].includes(kind.split('.')[1]!),
    );
    expect(new Set(once.map((event) => JSON.stringify(event))).size).toBe(once.length);
  });

  it('can be read back from a stored job as it was published', () => {
    for (const event of recorder.events)
      expect(domainEventSchema.parse(JSON.parse(JSON.stringify(event)))).toEqual(event);
  });

  it('is in the log as listeners heard it, in the order of what happened to a conversation', async () => {
    const logged = async (): Promise<DomainEvent[]> => {
      const rows = await service.app.db.query<{ event: DomainEvent }[]>(
        'SELECT event FROM domain_events WHERE position IS NOT NULL AND kind <> $1 ORDER BY position',
        [AUDIT_KIND],
      );
      return rows.map(({ event }) => event);
    };
    const heard = recorder.events.filter(({ org_id }) => org_id !== null);
    await eventually(async () => expect(await logged()).toEqual(expect.arrayContaining(heard)));
    const kindsOf = (events: readonly DomainEvent[]): string[] => [
      ...new Set(events.map(({ kind }) => kind)),
    ];
    expect(kindsOf(await logged()).sort()).toEqual(kindsOf(heard).sort());
    const states = (events: readonly DomainEvent[]): string[] =>
      events.flatMap((event) =>
        event.kind === 'conversation.status_changed' && event.conversation_id === conversationId
          ? [`${event.start_state} ${event.execution_status}`]
          : [],
      );
    expect(states(await logged())).toEqual(states(recorder.events));
  });

  it('is heard by who listens to all but for rows of the audit log, which the log has', async () => {
    const rows = await service.app.db.query<unknown[]>('SELECT 1 FROM domain_events WHERE kind = $1', [
      AUDIT_KIND,
    ]);
    expect(rows.length).toBeGreaterThan(DOMAIN_EVENT_KINDS.length / 2);
    expect(recorder.events.filter(({ kind }) => kind === AUDIT_KIND)).toEqual([]);
  });

  it('has no secret', async () => {
    const created = recorder.events.find(({ kind }) => kind === 'api_key.created');
    expect(Object.keys(created ?? {})).toEqual(['kind', 'org_id', 'user_id', 'api_key_id']);
    const { session_api_key } = await service.record(conversationId);
    expect(JSON.stringify(recorder.events)).not.toContain(session_api_key);
  });
});
