import { Injectable } from '@nestjs/common';
import { TooManyDoorConnectionsError } from '../sandbox-access.errors';

/** WebSockets that wait for their first message at a time, for each replica. */
const MOST_OF_ADDRESS = 256;
const MOST = 4_096;

/** Bounds what callers cost who have not said yet who they are. */
@Injectable()
export class UnknownCallers {
  private readonly byAddress = new Map<string, number>();
  private all = 0;

  /**
   * Counts one more.
   * @returns what ends that
   * @throws TooManyDoorConnectionsError
   */
  enter(address: string): () => void {
    const count = this.byAddress.get(address) ?? 0;
    if (count >= MOST_OF_ADDRESS || this.all >= MOST)
      throw new TooManyDoorConnectionsError(MOST_OF_ADDRESS, 'address');
    this.change(address, 1);
    return () => this.change(address, -1);
  }

  private change(address: string, step: 1 | -1): void {
    const count = (this.byAddress.get(address) ?? 0) + step;
    this.all += step;
    if (count === 0) this.byAddress.delete(address);
    else this.byAddress.set(address, count);
  }
}
