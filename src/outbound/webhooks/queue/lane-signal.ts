import { Injectable } from '@nestjs/common';

/** Tells this process that there may be something to deliver; other processes find out within a second. */
@Injectable()
export class LaneSignal {
  private readonly hearers: ((webhookIds: readonly string[]) => void)[] = [];

  /** Deliveries to these endpoints were committed. */
  added(webhookIds: readonly string[]): void {
    if (webhookIds.length > 0) for (const hear of this.hearers) hear(webhookIds);
  }

  onAdded(hear: (webhookIds: readonly string[]) => void): void {
    this.hearers.push(hear);
  }
}
