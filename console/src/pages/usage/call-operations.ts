import { api, bodyOf, type Schemas } from '../../api/client';
import type { operations } from '../../api/schema';
import type { Organization } from '../../app/organization';
import type { Address } from '../../parts/address';

export type Call = Schemas['ModelCallResponse'];

type Query = NonNullable<operations['listModelCalls']['parameters']['query']>;

export const STATUSES = [
  'ok',
  'failed',
  'interrupted',
  'lost',
  'reserved',
] as const satisfies Call['status'][];

/** Which calls are listed; what is null lets all through. */
export type CallFilters = Required<Pick<Query, 'user_id' | 'model' | 'conversation_id' | 'status'>>;

/** The filters that the address has. */
export function filtersOf(query: Address['query']): CallFilters {
  return {
    user_id: query['user_id'] ?? null,
    model: query['model'] ?? null,
    conversation_id: query['conversation_id'] ?? null,
    status: STATUSES.find((status) => status === query['status']) ?? null,
  };
}

export function isFiltered(filters: CallFilters): boolean {
  return Object.values(filters).some((value) => value !== null);
}

const PER_PAGE = 50;

/** A page of the ledger. */
export function callsOf(
  { id: org_id }: Organization,
  filters: CallFilters,
  pageId: string | null,
  signal: AbortSignal,
): Promise<Schemas['ModelCallPage']> {
  const query = { ...filters, page_id: pageId, limit: PER_PAGE };
  return bodyOf(
    api.GET('/api/organizations/{org_id}/model-calls', { params: { path: { org_id }, query }, signal }),
  );
}
