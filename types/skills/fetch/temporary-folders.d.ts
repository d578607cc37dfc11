import { type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type Settings } from '../../config';
/**
 * The folders that repositories are fetched into. Each process has its own under `DATA_DIR/marketplaces`; at start,
 * the folders of dead processes are removed, together with any git still running in them.
 */
export declare class TemporaryFolders implements OnModuleInit, OnModuleDestroy {
    private readonly logger;
    private readonly root;
    private readonly host;
    private readonly used;
    private own;
    constructor(settings: Settings);
    onModuleInit(): Promise<void>;
    onModuleDestroy(): Promise<void>;
    /** Runs the work in a new folder, which is removed afterwards in every case. */
    within<T>(work: (folder: string) => Promise<T>): Promise<T>;
    private use;
    private makeOwn;
    private isAbandoned;
}
