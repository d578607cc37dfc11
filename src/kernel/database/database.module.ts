import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type ConnectionOptions, dataSourceOptions } from './connection/data-source';

/** How the pool is made. */
interface DatabaseOptions extends Omit<ConnectionOptions, 'poolSize'> {
  /** Creates the pool without opening connections. */
  readonly unconnected?: boolean | undefined;
}

/** The connection pool that all modules share. */
@Module({})
export class DatabaseModule {
  /** @param url URL of the database, already migrated */
  static forRoot(url: string, { unconnected = false, ...options }: DatabaseOptions = {}): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(url, options),
          retryAttempts: 0,
          manualInitialization: unconnected,
        }),
      ],
    };
  }
}
