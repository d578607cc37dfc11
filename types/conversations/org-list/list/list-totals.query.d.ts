import type { CounterFilter } from './filter-counting';
import type { COUNTING } from './list-filters';
/** What counters need of each filter that they know. */
interface CounterValues {
    /** The parameter with the statuses, or null for all. */
    readonly execution_status: string | null;
    /** The moment the window begins, or null when it has no beginning. */
    readonly time_window: Date | null;
    readonly include_sub_conversations: boolean;
}
/** The filters of a list as parameters of the counter query; every filter counted by counters needs a value here. */
export type Counted = {
    readonly [Name in CounterFilter<typeof COUNTING>]: CounterValues[Name];
};
/**
 * An exact total as an expression of SQL over the organization `$1`, by the counters that the database keeps;
 * conversations of one day at most are counted. By hand because the counters are the database's own
 * (docs/decisions/0010-counters-kept-by-the-database.md).
 */
export declare function countedTotal({ execution_status: statuses, time_window: start, include_sub_conversations: includesSubs, }: Counted): string;
export {};
