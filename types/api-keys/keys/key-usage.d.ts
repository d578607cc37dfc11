import { type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../common';
/**
 * Writes `last_used_at`, at most once a minute per key, all replicas together, and never on a request's path
 * (docs/contract.md#key-format).
 */
export declare class KeyUsage implements OnModuleDestroy {
    private readonly database;
    private readonly clock;
    private readonly logger;
    private readonly written;
    private readonly pending;
    private timer;
    constructor(database: DataSource, clock: Clock);
    /** Records that a key was used now. */
    note(keyId: number): void;
    onModuleDestroy(): Promise<void>;
    /** Writes the collected times. A failure loses one time per key, so it is only logged. */
    flush(): Promise<void>;
    private forgetOld;
}
