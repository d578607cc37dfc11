import { Injectable } from '@nestjs/common';

/** The moments of a delivery at which a crash leaves something else behind. */
export type DeliveryFaultPoint = 'leased' | 'marked' | 'written' | 'sent' | 'recorded' | 'released';

/** Crash tests replace `reached` to stop a delivery, or the process, at one of these points. */
@Injectable()
export class DeliveryFaultPoints {
  readonly reached: (point: DeliveryFaultPoint, queueId: string) => Promise<void> | void = () => undefined;
}
