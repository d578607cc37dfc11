import type { JSX } from 'preact';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useLoad } from '../../parts/load';
import { NextPages, type Sort } from '../../parts/table';
import { count, texts } from '../../text';
import { COLUMNS, type Row } from './columns';
import { Listing } from './listing';
import { addressOf, type ListState, oneOf, useListState } from './list-state';

/** What the operation sorts by, each with its names for both directions. */
const ORDERS = {
  created_at: { asc: 'CREATED_AT', desc: 'CREATED_AT_DESC' },
  updated_at: { asc: 'UPDATED_AT', desc: 'UPDATED_AT_DESC' },
  title: { asc: 'TITLE', desc: 'TITLE_DESC' },
} as const;
const SORTS = ['created_at', 'updated_at', 'title'] as const satisfies (keyof typeof ORDERS)[];

const SORTED: readonly string[] = SORTS;
const columns = COLUMNS.filter(({ key }) => key !== 'user_email').map((column) => ({
  ...column,
  sorts: SORTED.includes(column.key),
}));

const DAY_MS = 86_400_000;
const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;

/** The person's own conversations in the organization; this list goes on page by page. */
export function OwnList(): JSX.Element {
  const { header } = useOrganization();
  const { state: asked, change } = useListState();
  const sort_by = oneOf(SORTS, asked.sort_by) ?? 'updated_at';
  const state = { ...asked, sort_by, execution_status: [], sandbox_status: null, page: 1 };
  const listed = useLoad(
    async (signal) => {
      const filters = filtersOf(state);
      const [{ items, next_page_id }, total] = await Promise.all([
        bodyOf(
          api.GET('/api/v1/app-conversations/search', {
            params: {
              header,
              query: {
                ...filters,
                sort_order: ORDERS[sort_by][state.sort_order],
                limit: state.per_page,
                ...(state.page_id !== null && { page_id: state.page_id }),
              },
            },
            signal,
          }),
        ),
        bodyOf(api.GET('/api/v1/app-conversations/count', { params: { header, query: filters }, signal })),
      ]);
      return { rows: items.map(rowOf), total, next: next_page_id };
    },
    [header['X-Org-Id'], addressOf(state)],
  );
  const sort = ({ by, order }: Sort): void =>
    change({ sort_by: oneOf(SORTS, by) ?? sort_by, sort_order: order });
  return (
    <Listing
      {...{ listed, state, change, columns }}
      ofOrganization={false}
      onSort={sort}
      pager={({ total, next }) => (
        <>
          <p>{count(total, texts.table.total)}</p>
          <NextPages
            name={texts.menu.conversations}
            pageId={state.page_id}
            nextPageId={next}
            onPage={(page_id) => change({ page_id })}
          />
        </>
      )}
    />
  );
}

/** The filters of search and count. */
function filtersOf(state: ListState) {
  const { search, time_window, tags, include_sub_conversations } = state;
  return {
    ...(search.trim() !== '' && { title__contains: search.trim() }),
    ...(time_window !== 'all' && {
      created_at__gte: new Date(Date.now() - DAYS[time_window] * DAY_MS).toISOString(),
    }),
    tags: [...tags],
    include_sub_conversations,
  };
}

function rowOf(conversation: Schemas['AppConversation']): Row {
  const { metrics } = conversation;
  return {
    ...conversation,
    ...metrics,
    user_email: null,
    total_tokens: metrics.prompt_tokens + metrics.completion_tokens,
  };
}
