import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { ServiceUnavailableError } from '../common';
import { ping } from '../database';

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

  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** @throws ServiceUnavailableError when the database is unavailable or its schema is not up to date */
  async ready(): Promise<Health> {
    try {
      if (this.migrated) await ping(this.database);
      else this.migrated = !(await this.database.showMigrations());
    } catch (cause) {
      throw new ServiceUnavailableError('The database cannot be reached.', 'database_unavailable', 2, {
        cause,
      });
    }
    if (!this.migrated)
      throw new ServiceUnavailableError('The database lacks migrations.', 'migrations_pending');
    return { status: 'ok' };
  }

  serverInfo(): ServerInfo {
    return {
      title: 'Organization Conversation Service',
      version,
      uptime: Math.round(process.uptime()),
    };
  }
}
