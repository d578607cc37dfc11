import { Injectable } from '@nestjs/common';
import { KeyedSemaphore } from '../../../../kernel/common';

/** Requests at a time to one endpoint, and of this process. */
const MOST_OF_ENDPOINT = 8;
const MOST_OF_PROCESS = 128;
/** Requests in a row that failed or were slow after which an endpoint is sent one at a time, until one is quick. */
const TROUBLES = 3;

/** The service stops: no further request begins. */
export class SlotsClosedError extends Error {}

/** Bounds how many requests are under way; who waits longest goes first. */
@Injectable()
export class RequestSlots {
  private readonly troubles = new Map<string, number>();
  private isClosed = false;
  private readonly slots = new KeyedSemaphore({
    endpoint: (webhookId) => this.mostOf(webhookId),
    replica: MOST_OF_PROCESS,
  });

  /** Requests at a time that an endpoint may be sent now. */
  mostOf(webhookId: string): number {
    return (this.troubles.get(webhookId) ?? 0) >= TROUBLES ? 1 : MOST_OF_ENDPOINT;
  }

  /**
   * Runs a request when there is room for it.
   * @param request says whether it succeeded, and soon
   * @throws the signal's reason, SlotsClosedError, or what the request throws
   */
  async use<T extends { readonly isQuick: boolean }>(
    webhookId: string,
    signal: AbortSignal,
    request: () => Promise<T>,
  ): Promise<T> {
    const noted = async (): Promise<T> => {
      const result = await request();
      if (result.isQuick) this.troubles.delete(webhookId);
      else this.troubles.set(webhookId, (this.troubles.get(webhookId) ?? 0) + 1);
      return result;
    };
    if (this.isClosed) throw new SlotsClosedError();
    return this.slots.whenFree({ endpoint: webhookId, replica: '' }, noted, { signal });
  }

  /** Turns away all who wait. */
  close(): void {
    this.isClosed = true;
    this.slots.turnAway(new SlotsClosedError());
  }
}
