import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { KeyedSemaphore } from '../../../kernel/common';
import { ServiceStoppingError } from '../../../kernel/http';
import { TooManyDoorConnectionsError } from '../sandbox-access.errors';

/** WebSockets waiting for their first message at a time, per replica. */
const MOST = { address: 256, replica: 4_096 };

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
  private readonly shares = new KeyedSemaphore(
    MOST,
    (most, scope) => new TooManyDoorConnectionsError(most, scope),
  );
  private readonly waiting = new Set<AbortController>();
  private isStopping = false;

  /**
   * Counts one more.
   * @throws TooManyDoorConnectionsError, ServiceStoppingError
   */
  enter(address: string): UnknownCaller {
    if (this.isStopping) throw new ServiceStoppingError();
    const release = this.shares.take({ address, replica: '' });
    const stop = new AbortController();
    this.waiting.add(stop);
    const leave = (): void => {
      this.waiting.delete(stop);
      release();
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
}
