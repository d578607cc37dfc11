import type { OrgConversationsExport } from './org-conversations.dto';
/** How each filter of the list is counted. */
export declare const COUNTING: {
    readonly search: {
        readonly countedBy: "query";
        readonly isUsed: ({ search }: OrgConversationsExport) => boolean;
    };
    readonly execution_status: {
        readonly countedBy: "counter";
    };
    readonly sandbox_status: {
        readonly countedBy: "query";
        readonly isUsed: ({ sandbox_status }: OrgConversationsExport) => boolean;
    };
    readonly time_window: {
        readonly countedBy: "counter";
    };
    readonly include_sub_conversations: {
        readonly countedBy: "counter";
    };
};
/** Whether counters know the total of a list with this filter. */
export declare function hasCounters(filter: OrgConversationsExport): boolean;
/** A search text as it is looked for, or null when there is none (docs/contract.md#organization-list). */
export declare function searchText(search: string | null): string | null;
