import { Logger } from 'graphile-worker';
/**
 * Forwards warnings and errors of graphile-worker to the service's log. Its messages about single jobs are
 * dropped: the worker logs those itself, without a stack trace per attempt.
 */
export declare function graphileLogger(): Logger;
