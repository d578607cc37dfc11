import { useLocation } from 'preact-iso/router';
import { useMemo } from 'preact/hooks';
import type { operations } from '../../api/schema';
import { useOrganization } from '../../app/organization';

type OrgQuery = NonNullable<operations['listOrgConversations']['parameters']['query']>;
type Statuses = NonNullable<OrgQuery['execution_status']>;

/** The values of the filters, as the operation has them. */
export const EXECUTION_STATUSES = [
  'idle',
  'running',
  'paused',
  'finished',
  'error',
  'stuck',
] as const satisfies Statuses;
export const SANDBOX_STATUSES = [
  'STARTING',
  'RUNNING',
  'PAUSED',
  'ERROR',
  'MISSING',
] as const satisfies NonNullable<OrgQuery['sandbox_status']>[];
export const TIME_WINDOWS = ['all', '7d', '30d', '90d'] as const satisfies OrgQuery['time_window'][];
export const SORTS = [
  'updated_at',
  'created_at',
  'title',
  'llm_model',
  'accumulated_cost',
] as const satisfies OrgQuery['sort_by'][];
const ORDERS = ['desc', 'asc'] as const;
export const PAGE_SIZES = [20, 50, 100] as const;

/** What a list of conversations shows: all of it is in the address. */
export interface ListState {
  readonly search: string;
  readonly execution_status: Statuses;
  readonly sandbox_status: (typeof SANDBOX_STATUSES)[number] | null;
  readonly time_window: (typeof TIME_WINDOWS)[number];
  /** As `name:value`. */
  readonly tags: readonly string[];
  readonly include_sub_conversations: boolean;
  readonly sort_by: (typeof SORTS)[number];
  readonly sort_order: (typeof ORDERS)[number];
  readonly page: number;
  readonly per_page: number;
  /** Where a list without numbered pages goes on. */
  readonly page_id: string | null;
}

/** The part of the address after the path; what is as it is by default is not in it. */
export function addressOf(state: ListState): string {
  const query = new URLSearchParams();
  const add = (name: keyof ListState, isDefault: boolean): void => {
    if (!isDefault) for (const value of [state[name]].flat()) query.append(name, String(value));
  };
  add('search', state.search === '');
  add('execution_status', state.execution_status.length === 0);
  add('sandbox_status', state.sandbox_status === null);
  add('time_window', state.time_window === 'all');
  add('tags', state.tags.length === 0);
  add('include_sub_conversations', !state.include_sub_conversations);
  add('sort_by', state.sort_by === 'updated_at');
  add('sort_order', state.sort_order === 'desc');
  add('page', state.page === 1);
  add('per_page', state.per_page === PAGE_SIZES[0]);
  add('page_id', state.page_id === null);
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** What an address says; what is none of the possible values counts as absent. */
export function stateOf(query: URLSearchParams): ListState {
  const page = Number(query.get('page'));
  const perPage = Number(query.get('per_page'));
  const statuses = query.getAll('execution_status');
  return {
    search: query.get('search') ?? '',
    execution_status: EXECUTION_STATUSES.filter((status) => statuses.includes(status)),
    sandbox_status: oneOf(SANDBOX_STATUSES, query.get('sandbox_status')) ?? null,
    time_window: oneOf(TIME_WINDOWS, query.get('time_window')) ?? 'all',
    tags: query.getAll('tags'),
    include_sub_conversations: query.get('include_sub_conversations') === 'true',
    sort_by: oneOf(SORTS, query.get('sort_by')) ?? 'updated_at',
    sort_order: oneOf(ORDERS, query.get('sort_order')) ?? 'desc',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    per_page: oneOf(PAGE_SIZES, perPage) ?? PAGE_SIZES[0],
    page_id: query.get('page_id'),
  };
}

/** A text or number as one of the possible values, or undefined. */
export function oneOf<T>(values: readonly T[], value: unknown): T | undefined {
  return values.find((of) => of === value);
}

/** Whether anything is filtered. */
export function isFiltered(state: ListState): boolean {
  return addressOf({ ...state, ...UNFILTERED }) !== addressOf({ ...state, page: 1, page_id: null });
}

/** No filter at all, and the first page. */
export const UNFILTERED = {
  search: '',
  execution_status: [],
  sandbox_status: null,
  time_window: 'all',
  tags: [],
  include_sub_conversations: false,
  page: 1,
  page_id: null,
} as const satisfies Partial<ListState>;

/** Changes a list, beginning with its first page unless another one is given; `isTyped` for what changes letter by letter. */
export type ChangeList = (change: Partial<ListState>, isTyped?: boolean) => void;

/** The state of the list that the address has. */
export function useListState(): { readonly state: ListState; readonly change: ChangeList } {
  const { url, route } = useLocation();
  const organization = useOrganization();
  const state = useMemo(() => stateOf(new URL(url, location.origin).searchParams), [url]);
  return {
    state,
    change: (change, isTyped = false) =>
      route(
        organization.path('conversations') + addressOf({ ...state, page: 1, page_id: null, ...change }),
        isTyped,
      ),
  };
}
