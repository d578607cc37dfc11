import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { VERSION } from '../common';
import { proveWrite } from '../database';
import { DatabaseUnavailableError, ServiceStoppingError } from '../http';
import { MigrationsPendingError } from './health.errors';

/** The response of a ready service. */
export interface Health {
  readonly status: 'ok';
}

export interface ServerInfo {
  readonly title: string;
  readonly version: string;
  readonly uptime: number;
}

/** Implements the health probes. */
@Injectable()
export class HealthService {
  private migrated = false;
  private isWithdrawn = false;
  private proof: Promise<void> | undefined;

  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** From now on the service is not ready, since it is about to stop. */
  withdraw(): void {
    this.isWithdrawn = true;
  }

  /**
   * @throws ServiceStoppingError once it is withdrawn; DatabaseUnavailableError, also when the database is read-only
   * or full; MigrationsPendingError when its schema is not up to date
   */
  async ready(): Promise<Health> {
    if (this.isWithdrawn) throw new ServiceStoppingError();
    try {
      if (!this.migrated) this.migrated = !(await this.database.showMigrations());
      if (this.migrated) await this.proveWrite();
    } catch (cause) {
      throw new DatabaseUnavailableError(cause);
    }
    if (!this.migrated) throw new MigrationsPendingError();
    return { status: 'ok' };
  }

  /** Concurrent probes share one write. */
  private proveWrite(): Promise<void> {
    this.proof ??= proveWrite(this.database).finally(() => (this.proof = undefined));
    return this.proof;
  }

  serverInfo(): ServerInfo {
    return {
      title: 'Organization Conversation Service',
      version: VERSION,
      uptime: Math.round(process.uptime()),
    };
  }
}
