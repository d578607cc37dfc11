import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ServiceUnavailableError } from '../../../../kernel/common';
import { DedicatedPool, sessionUrl } from '../../../../kernel/database';
import type { AuditRow, AuditStatement } from './audit-rows.read-model';

/** 503: the audit log could not be read, or not in time (docs/audit-log.md#reading-and-sending-it-on). */
export class AuditLogUnavailableError extends ServiceUnavailableError {
  constructor(options?: ErrorOptions) {
    super(
      'The audit log could not be read, or not in time: try again, for a shorter time or with another filter.',
      'audit_log_unavailable',
      1,
      options,
    );
  }
}

const TIMEOUT_MS = 3_000;

const CONNECTIONS = 2;

/** Pages are short: compiling their plans, or sharing them among processes, takes longer than they do. */
const PLANNER = '-c jit=off -c max_parallel_workers_per_gather=0';

/** Few connections of their own, with a time limit: whoever reads the log leaves the rest of the service what it has. */
@Injectable()
export class AuditLogDatabase implements OnApplicationShutdown {
  private readonly pool: DedicatedPool;

  constructor(@InjectDataSource() database: DataSource) {
    this.pool = new DedicatedPool({
      connectionString: sessionUrl(database),
      max: CONNECTIONS,
      connectionTimeoutMillis: TIMEOUT_MS,
      statement_timeout: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS + 1_000,
      application_name: 'org-conversation-service audit-log',
      options: PLANNER,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /**
   * @param gone ends the query
   * @throws AuditLogUnavailableError when it fails or takes too long
   */
  async rows({ sql, parameters }: AuditStatement, gone: AbortSignal): Promise<AuditRow[]> {
    try {
      return await this.pool.cancellableRows<AuditRow & object>({ text: sql, values: parameters }, gone);
    } catch (error) {
      throw new AuditLogUnavailableError({ cause: error });
    }
  }
}
