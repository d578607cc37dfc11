import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { ServiceUnavailableError } from '../common';
import { proveWrite, unavailableDetail } from '../database';

/** The response of a ready service. */
export interface Health {
  readonly status: 'ok';
}

export interface ServerInfo {
  readonly title: string;
  readonly version: string;
  readonly uptime: number;
}

/** Version of the package; the OpenAPI document carries the interface's (docs/contract.md#versioning). */
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')));

/** Implements the health probes. */
@Injectable()
export class HealthService {
  private migrated = false;
  private proof: Promise<void> | undefined;

  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** @throws ServiceUnavailableError when the database is unavailable, read-only or full, or its schema is not up to date */
  async ready(): Promise<Health> {
    try {
      if (!this.migrated) this.migrated = !(await this.database.showMigrations());
      if (this.migrated) await this.proveWrite();
    } catch (cause) {
      throw new ServiceUnavailableError(unavailableDetail(cause), 'database_unavailable', 2, { cause });
    }
    if (!this.migrated)
      throw new ServiceUnavailableError('The database lacks migrations.', 'migrations_pending');
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
      version,
      uptime: Math.round(process.uptime()),
    };
  }
}
