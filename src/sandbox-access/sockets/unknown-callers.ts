import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ServiceStoppingError, TooManyDoorConnectionsError } from '../sandbox-access.errors';

/** WebSockets that wait for their first message at a time, for each replica. */
const MOST_OF_ADDRESS = 256;
const MOST = 4_096;

/** Somebody who has not said yet who they are. */
export interface UnknownCaller {
  /** Aborted when the service stops. */
  readonly stopped: AbortSignal;
  /** Ends that they are counted. */
  leave(): void;
}

/** Bounds what callers cost who have not said yet who they are. */
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
    if (count >= MOST_OF_ADDRESS || this.waiting.size >= MOST)
      throw new TooManyDoorConnectionsError(MOST_OF_ADDRESS, 'address');
    const stop = new AbortController();
    this.waiting.add(stop);
    this.change(address, 1);
    const leave = (): void => {
      this.waiting.delete(stop);
      this.change(address, -1);
    };
    return { stopped: stop.signal, leave };
  }

  /** Ends the waiting for first messages, because the service does. */
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
