import type { Conversation } from '../conversations/conversation';
import { idIn, limitIn } from './conversation-routes';
import type { Conversations } from '../conversations/conversations';
import type { EventFilter } from '../conversations/event-log';
import { withoutNulls, sendMessageSchema } from '../conversations/events';
import { type ApiRequest, notFound, ok, readJson, type RouteEntry } from './http-api';

/** `/api/conversations/:id/events`: a message in, events out. */
export function eventRoutes(conversations: Conversations): RouteEntry[] {
  const known = (request: ApiRequest): Conversation => {
    const id = idIn(request);
    const conversation = conversations.get(id);
    if (!conversation) throw notFound(`Conversation not found: ${id}`);
    return conversation;
  };
  return [
    [
      'POST',
      '/api/conversations/:id/events',
      (request) => {
        const { run, ...message } = readJson(request, sendMessageSchema);
        known(request).send(message, run);
        return ok({ success: true });
      },
    ],
    [
      'GET',
      '/api/conversations/:id/events/search',
      (request) => {
        const { query } = request;
        const { items, nextPageId } = known(request).log.search(filterIn(query), {
          pageId: query.get('page_id'),
          limit: limitIn(query),
          newestFirst: query.get('sort_order') === 'TIMESTAMP_DESC',
        });
        return ok({ items: items.map(withoutNulls), next_page_id: nextPageId });
      },
    ],
    [
      'GET',
      '/api/conversations/:id/events/count',
      (request) => ok(known(request).log.count(filterIn(request.query))),
    ],
    [
      'GET',
      '/api/conversations/:id/events/:eventId',
      (request) => {
        const eventId = request.params['eventId'] ?? '';
        const event = known(request).log.get(eventId);
        if (!event) throw notFound();
        return ok(event);
      },
    ],
  ];
}

function filterIn(query: URLSearchParams): EventFilter {
  return {
    kind: query.get('kind'),
    source: query.get('source'),
    body: query.get('body'),
    timestampGte: localTime(query.get('timestamp__gte')),
    timestampLt: localTime(query.get('timestamp__lt')),
  };
}

/** Times with a zone are read as this machine's local time, in which events carry theirs. */
export function localTime(text: string | null): string | null {
  if (text === null || !/(?:Z|[+-]\d\d:?\d\d)$/i.test(text)) return text;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return text;
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, -1);
}
