import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { dataSourceOptions } from './data-source';

/** The connection pool every module shares. */
@Module({})
export class DatabaseModule {
  /**
   * @param url address of the database, migrated already
   * @param unconnected makes the pool and leaves it closed
   */
  static forRoot(url: string, unconnected = false): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(url),
          retryAttempts: 0,
          manualInitialization: unconnected,
        }),
      ],
    };
  }
}
