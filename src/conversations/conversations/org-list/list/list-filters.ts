import { WantedText } from '../../../../kernel/common';
import type { FilterCounting } from '../counters/filter-counting';
import { OrgConversationsExport } from './org-conversations.dto';

/** How each filter of the list is counted. */
export const COUNTING = {
  search: { countedBy: 'query', isUsed: ({ search }) => WantedText.of(search) !== null },
  execution_status: { countedBy: 'counter' },
  sandbox_status: { countedBy: 'query', isUsed: ({ sandbox_status }) => sandbox_status !== null },
  time_window: { countedBy: 'counter' },
  tags: { countedBy: 'query', isUsed: ({ tags }) => tags.length > 0 },
  include_sub_conversations: { countedBy: 'counter' },
} as const satisfies FilterCounting<OrgConversationsExport>;

/** Whether counters know the total of a list with this filter. */
export function hasCounters(filter: OrgConversationsExport): boolean {
  return !Object.values(COUNTING).some(
    (counting) => counting.countedBy === 'query' && counting.isUsed(filter),
  );
}

/** Whether a list has conversations of one status of sandboxes, whatever else they are. */
export function isOfStatusAlone(filter: OrgConversationsExport): boolean {
  const { sandbox_status, execution_status, time_window } = filter;
  if (sandbox_status === null || execution_status.length > 0 || time_window !== 'all') return false;
  return hasCounters(Object.assign(new OrgConversationsExport(), filter, { sandbox_status: null }));
}
