import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type AppError, MEBIBYTE } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import { ServiceStoppingError } from '../../http';
import type { Admission } from '../admission/admission';
import { TooManyDoorBytesError, TooManyDoorConnectionsError } from '../sandbox-access.errors';

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
  private readonly ofSandbox = new Map<string, Set<Place>>();
  private readonly ofUser = new Map<string, Set<Place>>();
  private isStopping = false;

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * Reserves a place for a connection that is about to open; it must be freed again.
   * @throws TooManyDoorConnectionsError, TooManyDoorBytesError, ServiceStoppingError
   */
  take(admission: Admission, kind: ConnectionKind): Place {
    const { id, createdByUserId } = admission.sandbox;
    if (this.isStopping) throw new ServiceStoppingError();
    this.assertFits(this.ofSandbox.get(id), 'sandbox', this.settings.DOOR_CONNECTIONS_PER_SANDBOX);
    this.assertFits(this.ofUser.get(createdByUserId), 'user', this.settings.DOOR_CONNECTIONS_PER_USER);
    const place = new Place(this, admission, kind);
    this.all.add(place);
    added(this.ofSandbox, id, place);
    added(this.ofUser, createdByUserId, place);
    return place;
  }

  /** Called by a place that is freed. */
  remove(place: Place): void {
    const { id, createdByUserId } = place.admission.sandbox;
    this.all.delete(place);
    removed(this.ofSandbox, id, place);
    removed(this.ofUser, createdByUserId, place);
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

  /** Ends what has not moved for too long. */
  endIdle(): void {
    const now = performance.now();
    for (const place of this.all) place.endIfIdle(now);
  }

  /** Ends all WebSockets, because the service does; requests under way are given their time by others. */
  stop(): void {
    this.isStopping = true;
    for (const place of this.all) if (place.kind === 'websocket') place.end(new ServiceStoppingError());
  }

  onModuleDestroy(): void {
    this.stop();
  }

  private assertFits(places: ReadonlySet<Place> | undefined, whose: 'sandbox' | 'user', most: number): void {
    if (places === undefined) return;
    if (places.size >= most) throw new TooManyDoorConnectionsError(most, whose);
    const { DOOR_MEBIBYTES_PER_SANDBOX, DOOR_MEBIBYTES_PER_USER } = this.settings;
    const mostBytes = (whose === 'sandbox' ? DOOR_MEBIBYTES_PER_SANDBOX : DOOR_MEBIBYTES_PER_USER) * MEBIBYTE;
    let held = 0;
    for (const place of places) held += place.heldBytes();
    if (held > mostBytes) throw new TooManyDoorBytesError(whose);
  }
}

/** A place among the open connections; its passage is attached a little later. */
export class Place {
  private passage: Passage | undefined;
  private reason: AppError | undefined;

  constructor(
    private readonly connections: OpenConnections,
    readonly admission: Admission,
    readonly kind: ConnectionKind,
  ) {}

  /** Attaches the passage; ends it at once if the place was ended meanwhile. */
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

  /** Frees the place. */
  free(): void {
    this.connections.remove(this);
  }
}

function added(map: Map<string, Set<Place>>, key: string, place: Place): void {
  const places = map.get(key);
  if (places === undefined) map.set(key, new Set([place]));
  else places.add(place);
}

function removed(map: Map<string, Set<Place>>, key: string, place: Place): void {
  const places = map.get(key);
  if (places?.delete(place) === true && places.size === 0) map.delete(key);
}
