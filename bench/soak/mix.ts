const TEXT = {
  content: [{ type: 'text', text: 'What does the build say, and what would you change? '.repeat(4) }],
};

/** A request to a conversation: method, path and body. */
export type PlannedRequest = readonly [method: string, path: string, body?: unknown];

/** Of twenty requests: nine read a conversation, five read lists, six write. */
export const MIX: readonly ((id: string, orgId: string) => PlannedRequest)[] = [
  ...Array<(id: string) => PlannedRequest>(3).fill((id) => ['GET', `/api/v1/app-conversations?ids=${id}`]),
  ...Array<(id: string) => PlannedRequest>(3).fill((id) => [
    'GET',
    `/api/v1/conversation/${id}/events/search?limit=50`,
  ]),
  ...Array<(id: string) => PlannedRequest>(3).fill((id) => [
    'GET',
    `/api/v1/conversations/${id}/pending-messages`,
  ]),
  ...Array<(id: string) => PlannedRequest>(3).fill(() => [
    'GET',
    '/api/v1/app-conversations/search?limit=20',
  ]),
  (_, orgId) => ['GET', `/api/organizations/${orgId}/conversations`],
  () => ['GET', '/api/v1/sandboxes/search?limit=20'],
  ...Array<(id: string) => PlannedRequest>(4).fill((id) => [
    'POST',
    `/api/v1/app-conversations/${id}/send-message`,
    TEXT,
  ]),
  ...Array<(id: string) => PlannedRequest>(2).fill((id) => [
    'POST',
    `/api/v1/conversations/${id}/pending-messages`,
    TEXT,
  ]),
];
