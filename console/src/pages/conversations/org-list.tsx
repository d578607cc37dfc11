import type { JSX } from 'preact';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { BrowserDownload } from '../../parts/download';
import { useLoad } from '../../parts/load';
import { Pager, type Sort } from '../../parts/table';
import { texts } from '../../text';
import { COLUMNS } from './columns';
import { Listing } from './listing';
import { addressOf, SORTS, type ListState, oneOf, UNFILTERED, useListState } from './list-state';

const SORTED: readonly string[] = SORTS;
const columns = COLUMNS.map((column) => ({ ...column, sorts: SORTED.includes(column.key) }));

/** All conversations of the organization. */
export function OrgList(): JSX.Element {
  const { id: org_id } = useOrganization();
  const { state, change } = useListState();
  const { page_id: _, ...query } = state;
  const listed = useLoad(
    async (signal) => {
      const { items, total_items } = await bodyOf(
        api.GET('/api/organizations/{org_id}/conversations', {
          params: {
            path: { org_id },
            query: { ...query, tags: [...query.tags], accurate_totals: query.sandbox_status !== null },
          },
          signal,
        }),
      );
      return { rows: items, total: total_items };
    },
    [org_id, addressOf(state)],
  );
  const sort = ({ by, order }: Sort): void =>
    change({ sort_by: oneOf(SORTS, by) ?? state.sort_by, sort_order: order });
  return (
    <Listing
      {...{ listed, state, change, columns }}
      ofOrganization
      onSort={sort}
      actions={<BrowserDownload label={texts.conversations.export} path={exportPath(org_id, state)} />}
      pager={({ total }) => (
        <Pager page={state.page} perPage={state.per_page} total={total} onPage={(page) => change({ page })} />
      )}
    />
  );
}

/** The operation `exportOrgConversations`, which takes the filters of the list: it is sorted by itself, and has no pages. */
function exportPath(orgId: string, state: ListState): string {
  const filters = addressOf({
    ...state,
    sort_by: 'updated_at',
    sort_order: 'desc',
    page: UNFILTERED.page,
    per_page: 20,
    page_id: null,
  });
  return `/api/organizations/${orgId}/conversations/export${filters}`;
}
