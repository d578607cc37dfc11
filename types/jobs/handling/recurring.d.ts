import type { Pool } from 'pg';
/** Schedules the first run of a recurring job, unless one is scheduled or running. */
export declare function scheduleFirst(pool: Pool, name: string, seconds: number): Promise<void>;
/** Schedules the next run of a recurring job, one interval from now. */
export declare function scheduleNext(pool: Pool, name: string, seconds: number): Promise<void>;
