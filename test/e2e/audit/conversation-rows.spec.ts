import { randomUUID } from 'node:crypto';
import { displayPrefix } from '../../../src/accounts/api-keys/keys/key-format';
import { hexOf } from '../../../src/kernel/common';
import type { AuditFields } from '../../../src/kernel/domain-events';
import { SandboxKeys } from '../../../src/sandboxes/sandboxes/record/sandbox-keys';
import { StubAgentServer } from '../../support/agent-server/stub-agent-server';
import { AuditedCalls } from '../../support/audit/audited-calls';
import { eventually } from '../../support/eventually';
import { storeConversation } from '../../support/queue/conversation-rows';
import { saying } from '../../support/queue/queued-messages';
import { type FarSandbox, insertSandbox } from '../../support/sandbox-access/door-service';
import { type ConversationRecord, ConversationService } from '../../support/service/conversation-service';
import type { CallOptions, HttpResponse } from '../../support/service/http';
import { CANNOT, NEEDS_SANDBOX } from './walk-cases';

const BASE = '/api/v1/app-conversations';
const SANDBOXES = '/api/v1/sandboxes';

let service: ConversationService;
let conversation: ConversationRecord;
/** What another agent server answers, of a sandbox that no job of this host looks after. */
let stub: StubAgentServer;
let stubbed: FarSandbox & { readonly conversationId: string };
const calls = new AuditedCalls(() => service.app);
const seen = new Set<string>();

beforeAll(async () => {
  service = await ConversationService.start();
  conversation = await service.record(await service.ready());
  stub = await StubAgentServer.start();
  const { app, owner } = service;
  const keys = app.app.get(SandboxKeys, { strict: false });
  const sandbox = await insertSandbox(app.db, keys, {
    owner,
    baseUrl: stub.url,
    driver: 'embedded',
    // Where sandboxes have users of their own, a call goes only to what listens as one.
    listenerUid: process.getuid?.() ?? 0,
  });
  const by = { org_id: owner.orgId, created_by_user_id: owner.userId };
  const { id: conversationId } = await storeConversation(app.db, { ...by, sandbox_id: sandbox.id });
  stubbed = { ...sandbox, conversationId };
});
afterAll(async () => {
  await service.app.db.query(`UPDATE sandboxes SET status = 'MISSING' WHERE id = $1`, [stubbed.id]);
  await service.close();
  await stub.close();
});

/** Calls an operation as the owner of everything, which succeeds, and asserts its one row. */
async function leavesRow<Body = Record<string, unknown>>(
  action: string,
  target: AuditFields['target'] | ((body: Body) => AuditFields['target']),
  [method, path, options = {}]: [method: string, path: string, options?: CallOptions],
): Promise<HttpResponse<Body>> {
  const { userId, orgId, key } = service.owner;
  const { response, row } = await calls.call<Body>(method, path, { key, ...options });
  seen.add(action);
  expect([action, response.status]).toEqual([action, 200]);
  expect(row).toMatchObject({
    org_id: orgId,
    action,
    outcome: 'success',
    code: null,
    actor: { kind: 'user', user_id: userId, key_prefix: displayPrefix(key), session: false },
    target: typeof target === 'function' ? target(response.body) : target,
  });
  // Some are written by their handlers, whose change is committed before that.
  expect([null, 200]).toContain(row.status);
  return response;
}

const ofConversation = (id: string) => ({ type: 'conversation', id });
const ofSandbox = (id: string) => ({ type: 'sandbox', id });

async function sandboxIs(id: string, status: string): Promise<void> {
  await eventually(async () => {
    const { body } = await service.call<[{ status: string }]>('GET', `${SANDBOXES}?id=${id}`);
    expect(body[0].status).toBe(status);
  });
}

it('a conversation that is started leaves a row, which names it', async () => {
  const conversation_id = randomUUID();
  const { body } = await leavesRow<{ id: string }>('startAppConversation', ofConversation(conversation_id), [
    'POST',
    BASE,
    { body: { conversation_id, title: 'Started' } },
  ]);
  expect((await service.ended(body.id)).status).toBe('READY');
  await leavesRow<{ app_conversation_id: string }[]>(
    'streamAppConversationStart',
    (states) => ofConversation(states.at(-1)?.app_conversation_id ?? ''),
    ['POST', `${BASE}/stream-start`, { body: { sandbox_id: conversation.sandbox_id } }],
  );
});

it('messages to it leave rows, those that wait as well, and so does its interruption', async () => {
  const { id } = conversation;
  const of = ofConversation(id);
  await leavesRow('sendMessage', of, ['POST', `${BASE}/${id}/send-message`, { body: saying('Hello.') }]);
  const queue = `/api/v1/conversations/${id}/pending-messages`;
  await leavesRow('queuePendingMessage', of, ['POST', queue, { body: saying('Later.') }]);
  await leavesRow('interruptConversation', of, ['POST', `${BASE}/${id}/interrupt`]);
});

it('another model for it leaves rows', async () => {
  const { conversationId: id } = stubbed;
  const profile = { llm: { model: 'fast/model', api_key: 'sk-of-the-profile' } };
  await service.call('POST', '/api/v1/settings/profiles/Fast', { body: profile });
  stub.answer(`POST /api/conversations/${id}/switch_llm`, { success: true });
  stub.answer(`POST /api/conversations/${id}/switch_acp_model`, { success: true });
  await leavesRow('switchConversationProfile', ofConversation(id), [
    'POST',
    `${BASE}/${id}/switch_profile`,
    { body: { profile_name: 'Fast' } },
  ]);
  await leavesRow('switchConversationAcpModel', ofConversation(id), [
    'POST',
    `${BASE}/${id}/switch_acp_model`,
    { body: { model: 'gpt-5' } },
  ]);
});

it('what is passed on to agent servers leaves rows, of the sandbox', async () => {
  for (const [action, method] of [
    ['postToAgentServer', 'POST'],
    ['putToAgentServer', 'PUT'],
    ['patchAtAgentServer', 'PATCH'],
    ['deleteAtAgentServer', 'DELETE'],
  ] as const) {
    stub.answer(`${method} /api/things/1`, { done: true });
    const path = `${stubbed.door}/api/things/1`;
    await leavesRow(action, ofSandbox(stubbed.id), [method, path, { body: { is: 'passed on' } }]);
  }
  const [host = ''] = (conversation.conversation_url ?? '').split('/api/conversations');
  const relayed = {
    host,
    method: 'POST',
    path: `/api/conversations/${conversation.id}/events`,
    headers: { 'X-Session-API-Key': conversation.session_api_key },
    body: { role: 'user', content: [{ type: 'text', text: 'relayed' }], run: false },
  };
  await leavesRow('relayCall', ofSandbox(conversation.sandbox_id), [
    'POST',
    '/api/cloud-proxy',
    { body: relayed },
  ]);
});

it('one that the agent server refuses has failed', async () => {
  const { key } = service.owner;
  const { response, row } = await calls.call('POST', `${stubbed.door}/api/none`, { key });
  expect(response.status).toBe(404);
  expect(row).toMatchObject({
    action: 'postToAgentServer',
    outcome: 'failed',
    status: 404,
    target: ofSandbox(stubbed.id),
  });
});

it('what its agent says leaves rows, as its sandbox', async () => {
  const { id } = conversation;
  const headers = { 'X-Session-API-Key': conversation.session_api_key ?? '' };
  const event = { id: randomUUID(), kind: 'MessageEvent', source: 'user', timestamp: '2026-11-29T09:30:00' };
  const { orgId, userId } = service.owner;
  const expected = {
    org_id: orgId,
    outcome: 'success',
    status: 200,
    changes: null,
    actor: { kind: 'sandbox', user_id: userId, key_prefix: null, session: false },
  };
  const events = await calls.call('POST', `/api/v1/webhooks/events/${hexOf(id)}`, { headers, body: [event] });
  expect(events.row).toMatchObject({ ...expected, action: 'receiveEvents', target: ofConversation(id) });
  const told = await calls.call('POST', '/api/v1/webhooks/conversations', {
    headers,
    body: { id, title: 'A title' },
  });
  expect(told.row).toMatchObject({ ...expected, action: 'receiveConversation' });
});

it('a sandbox leaves rows when it is made, paused, resumed and deleted', async () => {
  const { body } = await leavesRow<{ id: string }>('startSandbox', ({ id }) => ofSandbox(id), [
    'POST',
    SANDBOXES,
  ]);
  const path = `${SANDBOXES}/${body.id}`;
  await sandboxIs(body.id, 'RUNNING');
  await leavesRow('pauseSandbox', ofSandbox(body.id), ['POST', `${path}/pause`]);
  await sandboxIs(body.id, 'PAUSED');
  await leavesRow('resumeSandbox', ofSandbox(body.id), ['POST', `${path}/resume`]);
  await sandboxIs(body.id, 'RUNNING');
  await leavesRow('deleteSandbox', ofSandbox(body.id), ['DELETE', path]);
});

it('none of these calls has another row', async () => {
  const { key } = service.owner;
  expect(await calls.withOthers(() => calls.call('POST', `${stubbed.door}/api/none`, { key }))).toEqual([]);
});

it('all that need a sandbox that runs have a case', () => {
  const needing = Object.keys(CANNOT).filter((action) => CANNOT[action] === NEEDS_SANDBOX);
  expect(needing.filter((action) => !seen.has(action))).toEqual([]);
});
