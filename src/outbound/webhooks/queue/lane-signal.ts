import { Injectable } from '@nestjs/common';

/** Notifies this process that there may be deliveries; other processes poll each second. */
@Injectable()
export class LaneSignal {
  private readonly listeners: ((webhookIds: readonly string[]) => void)[] = [];

  /** Deliveries to these endpoints were committed. */
  added(webhookIds: readonly string[]): void {
    if (webhookIds.length > 0) for (const listener of this.listeners) listener(webhookIds);
  }

  onAdded(listener: (webhookIds: readonly string[]) => void): void {
    this.listeners.push(listener);
  }
}
