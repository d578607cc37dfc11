import { z } from 'zod';
import { hexOf, parseUuid } from '../../../kernel/common';
import type { Conversation } from '../conversations/conversation';
import { conversationInfo } from '../conversations/conversation-views';
import type { Conversations } from '../conversations/conversations';
import { type ApiRequest, HttpError, notFound, ok, readJson, type RouteEntry } from './http-api';
import { startRequestSchema, tagsSchema } from '../conversations/conversation-files';

const patchSchema = z.object({
  title: z.string().min(1).max(200).nullish(),
  tags: tagsSchema.nullish(),
});
const secretsSchema = z.object({ secrets: z.record(z.string(), z.unknown()) });
const askSchema = z.object({ question: z.string() });

const MAX_LIMIT = 100;

const ALREADY_RUNNING = 'Conversation already running. Wait for completion or pause first.';

/** `/api/conversations` and what belongs to one conversation, apart from its events. */
export function conversationRoutes(conversations: Conversations): RouteEntry[] {
  const known = (request: ApiRequest): Conversation => {
    const conversation = conversations.get(idIn(request));
    if (!conversation) throw notFound();
    return conversation;
  };
  return [
    ['POST', '/api/conversations', (request) => start(conversations, request)],
    ['GET', '/api/conversations', ({ query }) => ok(query.getAll('ids').map(infoOf(conversations)))],
    ['GET', '/api/conversations/search', ({ query }) => ok(search(conversations, query))],
    ['GET', '/api/conversations/count', ({ query }) => ok(withStatus(conversations, query).length)],
    ['GET', '/api/conversations/:id', (request) => ok(conversationInfo(known(request)))],
    [
      'PATCH',
      '/api/conversations/:id',
      (request) => {
        const { title, tags } = readJson(request, patchSchema);
        const conversation = known(request);
        conversation.amend({ ...(title ? { title } : {}), ...(tags ? { tags } : {}) });
        conversations.sendInfo(conversation);
        return ok({ success: true });
      },
    ],
    [
      'DELETE',
      '/api/conversations/:id',
      async (request) => {
        await conversations.delete(known(request).record.id);
        return ok({ success: true });
      },
    ],
    [
      'POST',
      '/api/conversations/:id/run',
      (request) => {
        if (known(request).run() === 'already_running') throw new HttpError(409, ALREADY_RUNNING);
        return ok({ success: true });
      },
    ],
    [
      'POST',
      '/api/conversations/:id/pause',
      (request) => {
        const conversation = known(request);
        conversation.pause();
        conversations.sendInfo(conversation);
        return ok({ success: true });
      },
    ],
    [
      'POST',
      '/api/conversations/:id/interrupt',
      async (request) => {
        const conversation = known(request);
        await conversation.interrupt();
        conversations.sendInfo(conversation);
        return ok({ success: true });
      },
    ],
    [
      'POST',
      '/api/conversations/:id/secrets',
      (request) => {
        const { secrets } = readJson(request, secretsSchema);
        const conversation = known(request);
        conversation.amend({ secrets: { ...conversation.record.secrets, ...secrets } });
        return ok({ success: true });
      },
    ],
    [
      'POST',
      '/api/conversations/:id/ask_agent',
      async (request) => {
        const { question } = readJson(request, askSchema);
        return ok({ response: await known(request).ask(question, request.signal) });
      },
    ],
    [
      'GET',
      '/api/conversations/:id/agent_final_response',
      (request) => ok({ response: known(request).finalResponse() }),
    ],
  ];
}

/** The conversation id in a path. @throws HttpError 422 when it is no UUID */
export function idIn({ params }: ApiRequest): string {
  const id = parseUuid(params['id'] ?? '');
  if (id !== null) return id;
  const msg = 'Input should be a valid UUID';
  throw new HttpError(422, [{ type: 'uuid_parsing', loc: ['path', 'conversation_id'], msg }]);
}

function start(conversations: Conversations, request: ApiRequest) {
  const body = readJson(request, startRequestSchema);
  if (body.agent_profile_id) throw notFound('Agent profile not found');
  if (!body.agent && !body.agent_settings) {
    const msg = 'Value error, one of agent, agent_settings and agent_profile_id is needed';
    throw new HttpError(422, [{ type: 'value_error', loc: ['body'], msg }]);
  }
  if (body.parent_conversation_id && !conversations.get(body.parent_conversation_id)) {
    throw new HttpError(422, 'The parent conversation does not exist.');
  }
  const { conversation, created } = conversations.start(body);
  return ok(conversationInfo(conversation), created ? 201 : 200);
}

function infoOf(conversations: Conversations) {
  return (text: string): unknown => {
    const conversation = conversations.get(parseUuid(text) ?? '');
    return conversation ? conversationInfo(conversation) : null;
  };
}

function withStatus(conversations: Conversations, query: URLSearchParams): Conversation[] {
  const status = query.get('status');
  return conversations.all().filter((one) => status === null || one.status === status);
}

function search(conversations: Conversations, query: URLSearchParams): unknown {
  const order = query.get('sort_order') ?? 'CREATED_AT_DESC';
  const field = order.startsWith('UPDATED_AT') ? 'updatedAt' : 'createdAt';
  const found = withStatus(conversations, query);
  found.sort((a, b) => (a.record[field] < b.record[field] ? -1 : 1));
  if (order.endsWith('_DESC')) found.reverse();
  const first = found.findIndex(({ record }) => hexOf(record.id) === query.get('page_id'));
  const page = found.slice(Math.max(first, 0));
  const limit = limitIn(query);
  const next = page[limit];
  return {
    items: page.slice(0, limit).map(conversationInfo),
    next_page_id: next ? hexOf(next.record.id) : null,
  };
}

/** The limit of a search. @throws HttpError 422 for less than 1 or more than 100 */
export function limitIn(query: URLSearchParams): number {
  const text = query.get('limit') ?? String(MAX_LIMIT);
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1) {
    const msg = 'Input should be greater than 0';
    throw new HttpError(422, [{ type: 'greater_than', loc: ['query', 'limit'], msg, input: text }]);
  }
  if (limit > MAX_LIMIT) {
    const msg = `Input should be less than or equal to ${MAX_LIMIT}`;
    throw new HttpError(422, [{ type: 'less_than_equal', loc: ['query', 'limit'], msg, input: text }]);
  }
  return limit;
}
