import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type AppError, Clock, VERSION, ServiceUnavailableError } from '../common';
import { proveWrite } from '../database';
import { HealthChecks } from './health-checks';
import { DatabaseUnavailableError, ServiceStoppingError } from '../http';

/** 503: the database lacks migrations. */
export class MigrationsPendingError extends ServiceUnavailableError {
  constructor() {
    super('The database lacks migrations.', 'migrations_pending');
  }
}

/** How long a finding is answered: probes come from several places, and cost the database nothing in between. */
const FRESH_MS = 1_000;

/** The response of a ready service. */
export interface Health {
  readonly status: 'ok';
}

/** An extension of the service. */
export interface LoadedExtension {
  readonly name: string;
  readonly version?: string;
}

/** Injects the extensions that are loaded. */
export const LOADED_EXTENSIONS = Symbol('LOADED_EXTENSIONS');

export interface ServerInfo {
  readonly title: string;
  readonly version: string;
  readonly uptime: number;
  /** Where there are any. */
  readonly extensions?: readonly LoadedExtension[];
}

/** Implements the health probes. */
@Injectable()
export class HealthService {
  private migrated = false;
  private isWithdrawn = false;
  /** Why the service is not ready; null when it is. */
  private finding: Promise<AppError | null> | undefined;
  private freshUntilMs = -Infinity;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
    private readonly checks: HealthChecks,
    @Inject(LOADED_EXTENSIONS) private readonly extensions: readonly LoadedExtension[],
  ) {}

  /** From now on the service is not ready, since it is about to stop. */
  withdraw(): void {
    this.isWithdrawn = true;
  }

  /**
   * @throws ServiceStoppingError once it is withdrawn; DatabaseUnavailableError, also when the database is read-only
   * or full; MigrationsPendingError when its schema is not up to date; HealthCheckFailedError
   * when an extension's check fails. What was found a moment ago is not looked for again
   */
  async ready(): Promise<Health> {
    if (this.isWithdrawn) throw new ServiceStoppingError();
    if (this.finding === undefined || this.clock.monotonicMs() > this.freshUntilMs) {
      this.freshUntilMs = Infinity; // while it is being looked for
      this.finding = this.look().finally(() => (this.freshUntilMs = this.clock.monotonicMs() + FRESH_MS));
    }
    const problem = await this.finding;
    if (problem !== null) throw problem;
    return { status: 'ok' };
  }

  private async look(): Promise<AppError | null> {
    try {
      if (!this.migrated) this.migrated = !(await this.database.showMigrations());
      if (this.migrated) await proveWrite(this.database);
    } catch (cause) {
      return new DatabaseUnavailableError(cause);
    }
    return this.migrated ? this.checks.firstFailure() : new MigrationsPendingError();
  }

  serverInfo(): ServerInfo {
    return {
      title: 'Organization Conversation Service',
      version: VERSION,
      uptime: Math.round(process.uptime()),
      ...(this.extensions.length > 0 && { extensions: this.extensions }),
    };
  }
}
