import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { dataSourceOptions, type EntityClass } from './connection/data-source';

/** The connection pool that all modules share. */
@Module({})
export class DatabaseModule {
  /**
   * @param url URL of the database, already migrated
   * @param unconnected creates the pool without opening connections
   * @param entities those of extensions
   */
  static forRoot(url: string, unconnected = false, entities: readonly EntityClass[] = []): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(url, undefined, entities),
          retryAttempts: 0,
          manualInitialization: unconnected,
        }),
      ],
    };
  }
}
