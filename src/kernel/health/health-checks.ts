import { Inject, Injectable, Logger, type OnModuleInit, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type AppError, messageOf, ServiceUnavailableError, StartError } from '../common';

/** A provider of an extension that knows whether what the extension needs is there. */
export interface HealthCheck {
  /**
   * @param signal aborted after three seconds: the check has then failed, and nobody waits for it any more
   * @throws whatever says why requests cannot be answered; it is logged, not answered
   */
  check(signal: AbortSignal): Promise<void>;
}

/** The health checks of extensions: their providers, by the names of the checks. */
export type HealthChecksByName = Readonly<Record<string, Type<HealthCheck>>>;

/** Injects {@link HealthChecksByName}. */
export const HEALTH_CHECKS = Symbol('HEALTH_CHECKS');

/** Below what probes of load balancers and Kubernetes commonly wait. */
const LIMIT_MS = 3_000;

/** 503: a health check of an extension fails. */
export class HealthCheckFailedError extends ServiceUnavailableError {
  constructor(name: string) {
    super(`The health check ${name} fails.`, 'health_check_failed');
  }
}

/** Runs the health checks of extensions. */
@Injectable()
export class HealthChecks implements OnModuleInit {
  private readonly logger = new Logger(HealthChecks.name);
  private checks: readonly (readonly [name: string, check: HealthCheck])[] = [];

  constructor(
    @Inject(HEALTH_CHECKS) private readonly byName: HealthChecksByName,
    private readonly modules: ModuleRef,
  ) {}

  /** @throws StartError when one is no provider of any module */
  onModuleInit(): void {
    this.checks = Object.entries(this.byName).map(([name, type]) => [name, this.find(name, type)]);
  }

  /** Runs all at the same time, each with its limit; answers the first that fails in the order of declaration, or null. */
  async firstFailure(): Promise<AppError | null> {
    const passed = await Promise.all(this.checks.map(([name, check]) => this.passes(name, check)));
    const failed = this.checks[passed.indexOf(false)];
    return failed === undefined ? null : new HealthCheckFailedError(failed[0]);
  }

  private find(name: string, type: Type<HealthCheck>): HealthCheck {
    try {
      return this.modules.get(type, { strict: false });
    } catch (cause) {
      throw new StartError(
        `The health check ${name} is ${type.name}, which has to be a provider of the extension's modules.`,
        { cause },
      );
    }
  }

  private async passes(name: string, check: HealthCheck): Promise<boolean> {
    const limit = new AbortController();
    const expired = new Promise<never>((_resolve, reject) => {
      limit.signal.addEventListener('abort', () =>
        reject(new Error(`No answer within ${LIMIT_MS / 1_000} seconds`)),
      );
    });
    const timer = setTimeout(() => limit.abort(), LIMIT_MS);
    try {
      await Promise.race([check.check(limit.signal), expired]);
      return true;
    } catch (error) {
      this.logger.warn({ err: error }, `The health check ${name} fails: ${messageOf(error)}`);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }
}
