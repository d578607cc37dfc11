import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type AppError, MEBIBYTE, KeyedSemaphore } from '../../../kernel/common';
import { organizationShare, SETTINGS, type Settings } from '../../../kernel/config';
import { ServiceStoppingError } from '../../../kernel/http';
import type { Admission } from '../admission/admission-memory';
import {
  type ConnectionScope,
  TooManyDoorBytesError,
  TooManyDoorConnectionsError,
} from '../sandbox-access.errors';

export const KINDS = ['http', 'websocket'] as const;

export type ConnectionKind = (typeof KINDS)[number];

/** The traffic of one open connection. */
export interface Passage {
  /** Bytes received from one side and not yet taken by the other. */
  heldBytes(): number;
  /** Ends it; the caller gets the reason where that is still possible. */
  end(reason: AppError): void;
  /** Pings both sides; closes the connection if one did not reply to the previous ping. */
  ping?(): void;
  /** Ends it where nothing has moved for as long as that may be. @param nowMs by `performance.now()` */
  endIfIdle?(nowMs: number): void;
}

/** Counts, ends and measures the open connections of one replica. */
@Injectable()
export class OpenConnections implements OnModuleDestroy {
  readonly bytes = { toSandbox: 0, toCaller: 0 };
  private readonly all = new Set<Place>();
  private readonly shares: KeyedSemaphore<Exclude<ConnectionScope, 'address'>>;
  private readonly ofUser = new Map<string, Set<Place>>();
  private isStopping = false;

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {
    this.shares = new KeyedSemaphore(
      {
        sandbox: settings.DOOR_CONNECTIONS_PER_SANDBOX,
        sockets: settings.OPEN_PER_USER,
        user: settings.DOOR_CONNECTIONS_PER_USER,
        organization: organizationShare(settings.DOOR_CONNECTIONS, settings),
        replica: settings.DOOR_CONNECTIONS,
      },
      (most, scope) => new TooManyDoorConnectionsError(most, scope),
    );
  }

  /**
   * Reserves a slot for a connection that is about to open; the caller has to free it.
   * @throws TooManyDoorConnectionsError, TooManyDoorBytesError, ServiceStoppingError
   */
  take(admission: Admission, kind: ConnectionKind): Place {
    const { id: sandbox, createdByUserId: user, orgId: organization } = admission.sandbox;
    if (this.isStopping) throw new ServiceStoppingError();
    this.assertBytesFit(sandbox, user);
    const sockets = kind === 'websocket' ? user : null;
    const release = this.shares.take({ sandbox, user, sockets, organization, replica: '' });
    const place = new Place(this, admission, kind, release);
    this.all.add(place);
    const ofUser = this.ofUser.get(user);
    if (ofUser === undefined) this.ofUser.set(user, new Set([place]));
    else ofUser.add(place);
    return place;
  }

  /** Called when a slot is freed. */
  remove(place: Place): void {
    const { createdByUserId } = place.admission.sandbox;
    this.all.delete(place);
    const ofUser = this.ofUser.get(createdByUserId);
    if (ofUser?.delete(place) === true && ofUser.size === 0) this.ofUser.delete(createdByUserId);
  }

  /** All open connections. */
  places(): readonly Place[] {
    return [...this.all];
  }

  /** The number of open connections of a kind. */
  count(kind: ConnectionKind): number {
    let count = 0;
    for (const place of this.all) if (place.kind === kind) count++;
    return count;
  }

  /** Closes connections that have been idle for too long. */
  endIdle(): void {
    const now = performance.now();
    for (const place of this.all) place.endIfIdle(now);
  }

  /** Closes all WebSockets, because the service stops; requests under way have their own grace time. */
  stop(): void {
    this.isStopping = true;
    for (const place of this.all) if (place.kind === 'websocket') place.end(new ServiceStoppingError());
  }

  onModuleDestroy(): void {
    this.stop();
  }

  private assertBytesFit(sandboxId: string, userId: string): void {
    const { DOOR_MEBIBYTES_PER_SANDBOX, DOOR_MEBIBYTES_PER_USER } = this.settings;
    const held = { sandbox: 0, user: 0 };
    for (const place of this.ofUser.get(userId) ?? []) {
      const bytes = place.heldBytes();
      held.user += bytes;
      if (place.admission.sandbox.id === sandboxId) held.sandbox += bytes;
    }
    if (held.sandbox > DOOR_MEBIBYTES_PER_SANDBOX * MEBIBYTE) throw new TooManyDoorBytesError('sandbox');
    if (held.user > DOOR_MEBIBYTES_PER_USER * MEBIBYTE) throw new TooManyDoorBytesError('user');
  }
}

/** A slot for an open connection; its passage is attached once it begins. */
export class Place {
  private passage: Passage | undefined;
  private reason: AppError | undefined;

  constructor(
    private readonly connections: OpenConnections,
    readonly admission: Admission,
    readonly kind: ConnectionKind,
    private readonly release: () => void,
  ) {}

  /** Attaches the passage; ends it at once if the slot was ended meanwhile. */
  hold(passage: Passage): void {
    this.passage = passage;
    if (this.reason !== undefined) passage.end(this.reason);
  }

  heldBytes(): number {
    return this.passage?.heldBytes() ?? 0;
  }

  end(reason: AppError): void {
    this.reason = reason;
    this.passage?.end(reason);
  }

  ping(): void {
    this.passage?.ping?.();
  }

  endIfIdle(nowMs: number): void {
    this.passage?.endIfIdle?.(nowMs);
  }

  countBytes(direction: keyof OpenConnections['bytes'], count: number): void {
    this.connections.bytes[direction] += count;
  }

  /** Frees the slot. */
  free(): void {
    this.release();
    this.connections.remove(this);
  }
}
