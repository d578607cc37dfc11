import { Injectable } from '@nestjs/common';

/** The moments of work under leases at which a crash leaves something else behind. */
export type FaultPoint =
  | 'stored'
  | 'committed'
  | 'leased'
  | 'marked'
  | 'written'
  | 'sent'
  | 'recorded'
  | 'released';

/** Crash tests replace `reached` to stop such work, or the process, at one of these points. */
@Injectable()
export class FaultPoints {
  /** @param of the work, as the key of its lease where there is one */
  readonly reached: (point: FaultPoint, of?: string) => Promise<void> | void = () => undefined;
}
