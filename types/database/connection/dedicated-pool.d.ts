import type { PoolConfig, QueryResultRow } from 'pg';
/** A statement for connections of its own. */
export interface DedicatedStatement {
    readonly text: string;
    readonly values: readonly unknown[];
    /** What connections know it by that plan it once; unknown to them without. */
    readonly name?: string | undefined;
}
/** Connections apart from those of the data source, for work that must not use these up. */
export declare class DedicatedPool {
    private readonly pool;
    constructor(config: PoolConfig);
    /** Closes all connections. */
    end(): Promise<void>;
    /** @throws what the driver throws */
    rows<Row extends QueryResultRow>({ text, values, name }: DedicatedStatement): Promise<Row[]>;
    /** As {@link rows}; the database gives the statement up when the signal is aborted. */
    cancellableRows<Row extends QueryResultRow>({ text, values }: DedicatedStatement, signal: AbortSignal): Promise<Row[]>;
}
