import { isRecord } from '../../src/kernel/common';
import { startTestApp, type TestApp } from '../support/service/app';
import { eventually } from '../support/eventually';
import { ConversationService } from '../support/service/conversation-service';
import { type DocumentedOperation, operationsOf } from './operations';

/** A link that the document declares. */
interface Link {
  /** For test output. */
  readonly title: string;
  /** Id of the operation whose response has it. */
  readonly source: string;
  readonly target: DocumentedOperation;
  readonly values: Readonly<Record<string, string>>;
}

/** A request that was answered with 200. */
interface Exchange {
  readonly path: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

const message = { role: 'user', content: [{ type: 'text', text: 'Say hello.' }] };

function parametersOf({ operation: { parameters = [] } }: DocumentedOperation): Parameter[] {
  return parameters.flatMap((one) => ('in' in one ? [one] : []));
}

/** All links of the document, and the ids of operations they name that there are not. */
function linksOf(app: TestApp): { links: Link[]; unknown: string[] } {
  const operations = operationsOf(app);
  const links: Link[] = [];
  const unknown: string[] = [];
  for (const { operation } of operations)
    for (const response of Object.values(operation.responses)) {
      if (response === undefined || !('links' in response)) continue;
      for (const link of Object.values(response.links ?? {})) {
        const { operationId = '', parameters = {} } = '$ref' in link ? {} : link;
        const target = operations.find((one) => one.operation.operationId === operationId);
        const source = operation.operationId ?? '';
        const title = `${source} -> ${operationId}`;
        if (target === undefined) unknown.push(title);
        else links.push({ title, source, target, values: parameters });
      }
    }
  return { links, unknown };
}

/** The value of a runtime expression; other texts stand for themselves. */
function valueOf(expression: string, { path, body }: Exchange): unknown {
  const inPath = /^\$request\.path\.(\w+)$/.exec(expression)?.[1];
  if (inPath !== undefined) return path[inPath];
  const pointer = /^\$response\.body#(\/.+)$/.exec(expression)?.[1];
  if (pointer === undefined) return expression.startsWith('$') ? undefined : expression;
  let value = body;
  for (const name of pointer.slice(1).split('/'))
    value = Array.isArray(value) ? value[Number(name)] : isRecord(value) ? value[name] : undefined;
  return value;
}

describe('the links of the OpenAPI document', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ env: { APP_ROLE: 'api' } });
  });
  afterAll(() => app.close());

  it('name operations, and give what these require by parameters they have', () => {
    const { links, unknown } = linksOf(app);
    expect(unknown).toEqual([]);
    expect(links.length).toBeGreaterThan(30);
    for (const { title, target, values } of links) {
      const parameters = parametersOf(target).filter((one) => one.in !== 'header');
      const given = Object.keys(values);
      expect([title, given.filter((name) => !parameters.some((one) => one.name === name))]).toEqual([
        title,
        [],
      ]);
      const required = parameters.filter((one) => one.required === true).map(({ name }) => name);
      expect([title, required.filter((name) => !given.includes(name))]).toEqual([title, []]);
    }
  });

  it('lead from a start to its task, from that to the conversation, and on to its events and messages', () => {
    const { links } = linksOf(app);
    const titles = links.map(({ title }) => title);
    expect(titles).toEqual(
      expect.arrayContaining([
        'startAppConversation -> batchGetStartTasks',
        'batchGetStartTasks -> getAppConversation',
        'getAppConversation -> searchConversationEvents',
        'getAppConversation -> listPendingMessages',
        'searchConversationEvents -> getConversationEvent',
      ]),
    );
  });
});

describe('a client that follows the links of the OpenAPI document', () => {
  let service: ConversationService;
  const exchanges = new Map<string, Exchange>();

  beforeAll(async () => {
    service = await ConversationService.start();
    const { orgId } = service.owner;
    await service.ready();
    const started = await service.call('POST', '/api/v1/app-conversations', {
      body: { initial_message: message },
    });
    exchanges.set('startAppConversation', { path: {}, body: started.body });
    const task = await service.ended((started.body as { id: string }).id);
    const id = task.app_conversation_id ?? '';
    await eventually(async () => expect((await service.events(id)).length).toBeGreaterThan(1));

    const exchange = async (
      operationId: string,
      [method, path]: readonly [method: string, path: string],
      parameters: Readonly<Record<string, string>> = {},
      body?: unknown,
    ): Promise<void> => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');
      const response = await service.call(method, filled, { ...(body !== undefined && { body }) });
      expect([operationId, response.status]).toEqual([operationId, 200]);
      exchanges.set(operationId, { path: parameters, body: response.body });
    };
    const conversation = { conversation_id: id };
    const API = '/api/v1';
    await exchange('batchGetStartTasks', ['GET', `${API}/app-conversations/start-tasks?ids=${task.id}`]);
    await exchange('searchStartTasks', ['GET', `${API}/app-conversations/start-tasks/search?limit=1`]);
    await exchange('searchAppConversations', ['GET', `${API}/app-conversations/search?limit=1`]);
    await exchange('getAppConversation', ['GET', `${API}/app-conversations/{id}`], { id });
    const events = `${API}/conversation/{conversation_id}/events/search?limit=1`;
    await exchange('searchConversationEvents', ['GET', events], conversation);
    const queue = `${API}/conversations/{conversation_id}/pending-messages`;
    await exchange('queuePendingMessage', ['POST', queue], conversation, message);
    await exchange('startSandbox', ['POST', `${API}/sandboxes`]);
    await exchange('searchSandboxes', ['GET', `${API}/sandboxes/search?limit=1`]);
    await exchange('batchGetSandboxes', ['GET', `${API}/sandboxes?id=${task.sandbox_id}`]);
    await exchange('searchSandboxSpecs', ['GET', `${API}/sandbox-specs/search`]);
    await exchange('listOrganizations', ['GET', '/api/organizations']);
    await exchange('getCurrentUser', ['GET', `${API}/users/me`]);
    const org = { org_id: orgId };
    await exchange('listOrgConversations', ['GET', '/api/organizations/{org_id}/conversations'], org);
    const invitation = { emails: ['somebody@example.com'] };
    await exchange('inviteMembers', ['POST', '/api/organizations/{org_id}/members/invite'], org, invitation);
  });
  afterAll(() => service.close());

  it('finds every value in real responses, and is answered by every operation that only reads', async () => {
    const { links } = linksOf(service.app);
    const sources = new Set(links.map(({ source }) => source));
    expect([...exchanges.keys()].sort()).toEqual([...sources].sort());
    for (const { title, source, target, values } of links) {
      const exchange = exchanges.get(source)!;
      const resolved = Object.entries(values).map(
        ([name, value]) => [name, valueOf(value, exchange)] as const,
      );
      const empty = resolved.filter(
        ([, value]) => !['string', 'number'].includes(typeof value) || value === '',
      );
      expect([title, empty]).toEqual([title, []]);
      if (target.method !== 'GET') continue;
      const url = new URL(target.path, service.app.url);
      for (const [name, value] of resolved)
        if (target.path.includes(`{${name}}`))
          url.pathname = decodeURI(url.pathname).replace(`{${name}}`, encodeURIComponent(String(value)));
        else url.searchParams.set(name, String(value));
      const { status } = await service.call('GET', url.pathname + url.search);
      expect([title, status]).toEqual([title, 200]);
    }
  });
});
