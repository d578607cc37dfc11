import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ServiceStoppingError } from '../../http';
import { TooManyDoorConnectionsError } from '../sandbox-access.errors';

/** WebSockets waiting for their first message at a time, per replica. */
const MAX_PER_ADDRESS = 256;
const MAX_WAITING = 4_096;

/** A caller who has not authenticated yet. */
export interface UnknownCaller {
  /** Aborted on shutdown. */
  readonly stopped: AbortSignal;
  /** Stops counting this caller. */
  leave(): void;
}

/** Limits callers that have not authenticated yet. */
@Injectable()
export class UnknownCallers implements OnModuleDestroy {
  private readonly byAddress = new Map<string, number>();
  private readonly waiting = new Set<AbortController>();
  private isStopping = false;

  /**
   * Counts one more.
   * @throws TooManyDoorConnectionsError, ServiceStoppingError
   */
  enter(address: string): UnknownCaller {
    if (this.isStopping) throw new ServiceStoppingError();
    const count = this.byAddress.get(address) ?? 0;
    if (count >= MAX_PER_ADDRESS || this.waiting.size >= MAX_WAITING)
      throw new TooManyDoorConnectionsError(MAX_PER_ADDRESS, 'address');
    const stop = new AbortController();
    this.waiting.add(stop);
    this.change(address, 1);
    const leave = (): void => {
      this.waiting.delete(stop);
      this.change(address, -1);
    };
    return { stopped: stop.signal, leave };
  }

  /** Ends the wait for first messages on shutdown. */
  stop(): void {
    this.isStopping = true;
    for (const stop of this.waiting) stop.abort();
  }

  onModuleDestroy(): void {
    this.stop();
  }

  private change(address: string, step: 1 | -1): void {
    const count = (this.byAddress.get(address) ?? 0) + step;
    if (count === 0) this.byAddress.delete(address);
    else this.byAddress.set(address, count);
  }
}
