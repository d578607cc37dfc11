import { Statement } from '../../database';
/** What waits in the whole installation; ages in seconds, 0 where nothing waits. */
export interface BacklogRow {
    readonly messages: number;
    readonly oldest_message: number;
    readonly jobs_waiting: number;
    readonly oldest_job: number;
    readonly jobs_scheduled: number;
    readonly jobs_dead: number;
}
/** Undelivered messages; and jobs that could run, that are planned for later, and that are given up. */
export declare const BACKLOG: Statement<BacklogRow>;
