import { Injectable } from '@nestjs/common';

/** The moments of a delivery at which a crash leaves something else behind. */
export type DeliveryFaultPoint = 'claimed' | 'marked' | 'written' | 'sent' | 'noted' | 'released';

/** Is told each step of a delivery; crash tests bind a `reached` that holds it or ends the process there. */
@Injectable()
export class DeliveryFaultPoints {
  readonly reached: (step: DeliveryFaultPoint, queueId: string) => Promise<void> | void = () => undefined;
}
