import { type DynamicModule } from '@nestjs/common';
import { type EntityClass } from './connection/data-source';
/** The connection pool that all modules share. */
export declare class DatabaseModule {
    /**
     * @param url URL of the database, already migrated
     * @param unconnected creates the pool without opening connections
     * @param entities those of extensions
     */
    static forRoot(url: string, unconnected?: boolean, entities?: readonly EntityClass[]): DynamicModule;
}
