import { Injectable } from '@nestjs/common';

/** Requests at a time to one endpoint, and of this process. */
const MOST_OF_ENDPOINT = 8;
const MOST_OF_PROCESS = 128;
/** Requests in a row that failed or were slow after which an endpoint is sent one at a time, until one is quick. */
const TROUBLES = 3;

interface Waiting {
  readonly webhookId: string;
  readonly go: () => void;
  readonly leave: () => void;
}

/** The service stops: no further request begins. */
export class SlotsClosedError extends Error {}

/** Bounds how many requests are under way; who waits longest goes first. */
@Injectable()
export class RequestSlots {
  private readonly taken = new Map<string, number>();
  private readonly troubles = new Map<string, number>();
  private readonly waiting = new Set<Waiting>();
  private total = 0;
  private isClosed = false;

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
    await this.take(webhookId, signal);
    try {
      const result = await request();
      if (result.isQuick) this.troubles.delete(webhookId);
      else this.troubles.set(webhookId, (this.troubles.get(webhookId) ?? 0) + 1);
      return result;
    } finally {
      this.release(webhookId);
    }
  }

  /** Turns away all who wait. */
  close(): void {
    this.isClosed = true;
    for (const { leave } of this.waiting) leave();
  }

  private async take(webhookId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.isClosed) throw new SlotsClosedError();
    if (this.hasRoom(webhookId)) {
      this.occupy(webhookId);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.waiting.delete(waiting);
        signal.removeEventListener('abort', leave);
        reject(signal.reason instanceof Error ? signal.reason : new SlotsClosedError());
      };
      const go = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiting: Waiting = { webhookId, go, leave };
      this.waiting.add(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  private hasRoom(webhookId: string): boolean {
    return this.total < MOST_OF_PROCESS && (this.taken.get(webhookId) ?? 0) < this.mostOf(webhookId);
  }

  private occupy(webhookId: string): void {
    this.total++;
    this.taken.set(webhookId, (this.taken.get(webhookId) ?? 0) + 1);
  }

  private release(webhookId: string): void {
    this.total--;
    const left = (this.taken.get(webhookId) ?? 1) - 1;
    if (left > 0) this.taken.set(webhookId, left);
    else this.taken.delete(webhookId);
    for (const waiting of this.waiting) {
      if (!this.hasRoom(waiting.webhookId)) continue;
      this.waiting.delete(waiting);
      this.occupy(waiting.webhookId);
      waiting.go();
    }
  }
}
