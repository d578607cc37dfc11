import type { Browser } from 'playwright-core';
import { type DocumentedOperation, operationsOf } from '../contract/operations';
import { describeInBrowser, startBrowser } from '../support/browser/chromium';
import { eventually } from '../support/eventually';
import { ConversationClient } from '../support/service/conversation-client';
import { ConversationService } from '../support/service/conversation-service';
import { makeCaller, makeOrg, type TestCaller } from '../support/service/factories';
import { isLong } from '../support/rounds';
import { SwaggerPage, type TriedOut } from '../support/swagger-page';

const OF_SANDBOX = 'only the key of a sandbox may call it';
const OF_AGENT_SERVER = 'the agent server has the method at other paths';
const ALONE = 'there is one member';
const TOKEN = 'there is no token of a provider';
const LINK = 'only the mail of an invitation has its token';
const STREAM = 'a stream does not end';
const DELIVERED = 'messages wait only while a sandbox does not run';

/** Operations that nothing the page could put in makes succeed on a fresh install, and why. */
const CANNOT: Readonly<Record<string, string>> = {
  receiveEvents: OF_SANDBOX,
  receiveConversation: OF_SANDBOX,
  listSandboxSecrets: OF_SANDBOX,
  getSandboxSecret: OF_SANDBOX,
  createServiceKey: 'only another service may call it, by a key that is not set',
  relayCall: 'the key of the sandbox belongs in the body',
  postToAgentServer: OF_AGENT_SERVER,
  putToAgentServer: OF_AGENT_SERVER,
  patchAtAgentServer: OF_AGENT_SERVER,
  deleteAtAgentServer: OF_AGENT_SERVER,
  changeMemberRole: ALONE,
  removeMember: ALONE,
  createSignInLink: ALONE,
  endSession: 'nobody is signed in in a browser',
  acceptInvitation: LINK,
  showInvitationPage: LINK,
  searchGitInstallations: TOKEN,
  searchGitRepositories: TOKEN,
  searchGitBranches: TOKEN,
  reorderPendingMessages: DELIVERED,
  editPendingMessage: DELIVERED,
  cancelPendingMessage: DELIVERED,
  getConversationFile: 'the folder of the conversation is empty',
  getConversationGitDiff: 'the conversation is on no repository',
  switchConversationProfile: 'the name in the body is an example',
  streamConversationEvents: STREAM,
  streamOrganizationEvents: STREAM,
  switchConversationAcpModel: 'the agent does not speak ACP',
};

/** Where not all are tried: what conversations are made of, which is what people try first. */
const FIRST_TRIED = ['Keys', 'Organizations', 'Conversations', 'Events', 'Queued messages'];

const METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];

/** A conversation is there first, and no token of an example is sent to its provider. */
function isFirst({ operation: { operationId = '' } }: DocumentedOperation): boolean {
  return operationId === 'startAppConversation' || CANNOT[operationId] === TOKEN;
}

/** What is made is there before it is read, group by group; what deletes comes last. */
function inOrder(operations: readonly DocumentedOperation[]): DocumentedOperation[] {
  const groups = [...new Set(operations.map(({ operation: { tags } }) => tags?.[0]))];
  const rankOf = (one: DocumentedOperation): number =>
    (isFirst(one) ? 0 : one.method === 'DELETE' ? 2_000 : 1_000) +
    groups.indexOf(one.operation.tags?.[0]) * 10 +
    METHODS.indexOf(one.method);
  return [...operations].sort((one, other) => rankOf(one) - rankOf(other));
}

describeInBrowser('the page to try the API out, on a fresh install', () => {
  let service: ConversationService;
  let browser: Browser | undefined;
  beforeAll(async () => {
    service = await ConversationService.start();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });

  it('lets each operation succeed at first with the key that was given once, or says there what to put in', async () => {
    const page = await browser!.newPage({ viewport: { width: 1440, height: 900 } });
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    const swagger = await SwaggerPage.authorized(page, service.app.url, service.owner.key);
    const tried = new Map<string, TriedOut>();
    const operations = operationsOf(service.app).filter(
      ({ operation }) => isLong || FIRST_TRIED.includes(operation.tags?.[0] ?? ''),
    );
    for (const { operation, permission } of inOrder(operations)) {
      const { operationId = '', tags = [] } = operation;
      const found = await swagger.tryOut(tags[0] ?? '', operationId, CANNOT[operationId] === STREAM);
      tried.set(operationId, found);
      if (typeof permission === 'string')
        expect([operationId, found.permission]).toEqual([operationId, `x-permission: ${permission}`]);
      if (operationId === 'startAppConversation') await eventually(firstEvent, 60_000);
      // Operations on a message that waits come next, and are to find none.
      if (operationId === 'queuePendingMessage') await eventually(nothingWaits, 60_000);
    }
    const failed = [...tried].filter(([, { status }]) => status === null || status >= 300);
    expect(failed.filter(([id]) => !(id in CANNOT))).toEqual([]);
    const silent = [...tried].filter(([id, { toPutIn }]) => id in CANNOT && toPutIn.length === 0);
    if (isLong) expect(Object.keys(CANNOT).filter((id) => !tried.has(id))).toEqual([]);
    expect(silent).toEqual([]);
    expect(errors).toEqual([]);
  }, 900_000);

  it('puts in the organization of the key, and the latest conversation, sandbox and event of its user', async () => {
    const [caller, mine] = await newcomer();
    const earlier = await mine.ready();
    const { id: task } = await mine.begin({
      initial_message: { role: 'user', content: [{ type: 'text', text: 'the latest' }] },
    });
    const { app_conversation_id: latest, sandbox_id: sandbox } = await mine.ended(task);
    const event = await lastEvent(mine, latest ?? '');
    // Somebody else's is later still.
    const [, theirs] = await newcomer();
    await theirs.ready();
    expect(latest).not.toBe(earlier);

    const page = await browser!.newPage({ viewport: { width: 1440, height: 900 } });
    const swagger = await SwaggerPage.authorized(page, service.app.url, caller.key);
    for (const [tag, operation, path] of [
      ['Organizations', 'getOrganization', `organizations/${caller.orgId}`],
      ['Sandboxes', 'batchGetSandboxes', `v1/sandboxes?id=${sandbox}`],
      ['Sandboxes', 'getFromAgentServer', `v1/sandboxes/${sandbox}/agent-server/server_info`],
      ['Conversations', 'getAppConversation', `v1/app-conversations/${latest}`],
      ['Conversations', 'batchGetAppConversations', `v1/app-conversations?ids=${latest}`],
      ['Conversations', 'batchGetStartTasks', `v1/app-conversations/start-tasks?ids=${task}`],
      ['Events', 'getConversationEvent', `conversations/${latest}/events/${event}`],
      ['Events', 'batchGetConversationEvents', `v1/conversation/${latest}/events?ids=${event}`],
    ] as const) {
      const { url, status } = await swagger.tryOut(tag, operation);
      expect([operation, status, url]).toEqual([operation, 200, `${service.app.url}/api/${path}`]);
    }
    for (const one of [mine, theirs]) await deleteSandboxes(one);
  });

  async function newcomer(): Promise<[TestCaller, ConversationClient]> {
    const { db } = service.app;
    const caller = await makeCaller(db, (await makeOrg(db)).id);
    return [caller, new ConversationClient(service.app, caller.key)];
  }

  async function deleteSandboxes(client: ConversationClient): Promise<void> {
    const { body } = await client.call<{ items: { id: string }[] }>('GET', '/api/v1/sandboxes/search');
    for (const { id } of body.items) await client.call('DELETE', `/api/v1/sandboxes/${id}`);
  }

  /** The id of the event that says that the agent is done, once that is the last one. */
  function lastEvent(client: ConversationClient, conversation: string): Promise<string> {
    return eventually(async () => {
      const last = (await client.events(conversation)).at(-1);
      expect(last).toMatchObject({ key: 'full_state', value: { execution_status: 'finished' } });
      return last?.id ?? '';
    }, 60_000);
  }

  async function nothingWaits(): Promise<void> {
    const sql = `SELECT 1 FROM pending_messages WHERE state IN ('queued', 'delivering')`;
    expect(await service.app.db.query<unknown[]>(sql)).toEqual([]);
  }

  async function firstEvent(): Promise<void> {
    const { body } = await service.call<{ items: { id: string }[] }>(
      'GET',
      '/api/v1/app-conversations/search',
    );
    expect(await service.events(body.items[0]?.id ?? '')).not.toHaveLength(0);
  }
});
