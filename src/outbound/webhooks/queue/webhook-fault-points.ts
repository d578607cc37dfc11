import { Injectable } from '@nestjs/common';

/** The moments of a callback at which a crash leaves something else behind. */
export type WebhookFaultPoint = 'stored' | 'committed' | 'leased' | 'sent' | 'recorded' | 'released';

/** Crash tests replace `reached` to stop a delivery, or the process, at one of these points. */
@Injectable()
export class WebhookFaultPoints {
  readonly reached: (point: WebhookFaultPoint, lane?: string) => Promise<void> | void = () => undefined;
}
