import type { DataSource } from 'typeorm';
/** A job whose last attempt failed. */
export interface FailedJob {
    readonly id: string;
    readonly name: string;
    /** `kind` of its payload. */
    readonly kind: string;
    readonly attempts: number;
    readonly maxAttempts: number;
    readonly lastError: string;
    readonly createdAt: Date;
    readonly runAt: Date;
}
/**
 * Jobs that have failed and not succeeded since, oldest first, at most 1000. The public view of the queue has
 * no payloads, so this reads its private tables.
 * @param kinds only jobs whose payload has one of these as `kind`
 */
export declare function failedJobsWithKind(database: DataSource, kinds: readonly string[]): Promise<FailedJob[]>;
