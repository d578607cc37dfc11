import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type Grant, StandingAccess, UnauthenticatedError } from '../../../kernel/auth';
import { AppError, messageOf } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { SandboxReader, type SandboxView, running } from '../../sandboxes';
import type { Admission } from '../admission/admission-memory';
import { OpenConnections, type Place } from './open-connections';

/** Half of the second within which a change takes effect on every replica. */
const ROUND_MS = 500;

/**
 * Ends open connections whose sandbox, key, session, membership or permission is gone, whichever replica removed it. Polls the
 * database twice a second with four statements at most for all connections together, and only while there are any.
 */
@Injectable()
export class ConnectionWatch implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(ConnectionWatch.name);
  private readonly pings: NodeJS.Timeout;
  private readonly idle: NodeJS.Timeout;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly connections: OpenConnections,
    private readonly access: StandingAccess,
    private readonly sandboxes: SandboxReader,
    @Inject(SETTINGS) { DOOR_PING_SECONDS }: Settings,
  ) {
    // Where this process stood still, the answers that came meanwhile are read before somebody is taken for gone.
    const soon = (): unknown => setImmediate(() => this.pingAll());
    this.pings = setInterval(soon, DOOR_PING_SECONDS * 1_000).unref();
    // One timer for all: one for each request would cost most requests more than what they wait for.
    this.idle = setInterval(() => connections.endIdle(), ROUND_MS).unref();
  }

  onModuleInit(): void {
    this.schedule();
  }

  onModuleDestroy(): void {
    this.isStopped = true;
    clearInterval(this.pings);
    clearInterval(this.idle);
    clearTimeout(this.timer);
  }

  private schedule(): void {
    if (!this.isStopped) this.timer = setTimeout(() => void this.round(), ROUND_MS).unref();
  }

  private async round(): Promise<void> {
    try {
      const places = this.connections.places();
      if (places.length > 0) await this.check(places);
    } catch (error) {
      // While the database is away, connections that were allowed stay open.
      this.logger.warn(`Open connections could not be checked: ${messageOf(error)}`);
    }
    this.schedule();
  }

  private async check(places: readonly Place[]): Promise<void> {
    const admissions = places.map(({ admission }) => admission);
    const sandboxes = await this.sandboxes.byIds([...new Set(admissions.map(({ sandbox }) => sandbox.id))]);
    const grants = places.map((place) => ({ place, ...grantOf(place.admission) }));
    const ended = await this.access.ended(grants);
    for (const grant of grants) {
      const { place } = grant;
      const reason = ended.has(grant)
        ? new UnauthenticatedError()
        : whyNotRunning(sandboxes.get(place.admission.sandbox.id) ?? null);
      if (reason !== null) place.end(reason);
    }
  }

  private pingAll(): void {
    for (const place of this.connections.places()) place.ping();
  }
}

function grantOf({ sandbox, keyId, sessionId, keyExpiresAt }: Admission): Grant {
  const { createdByUserId: userId, orgId } = sandbox;
  return { userId, orgId, keyId, sessionId, keyExpiresAt, permission: 'use_conversations' };
}

function whyNotRunning(sandbox: SandboxView | null): AppError | null {
  try {
    running(sandbox);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
