import { Inject, Injectable } from '@nestjs/common';
import { Shares } from '../../../kernel/common';
import { organizationShare, SETTINGS, type Settings } from '../../../kernel/config';

const AT_ONCE = 12;

interface Waiting {
  readonly orgId: string;
  /** @param leave to be called when the work is done */
  readonly start: (leave: () => void) => void;
}

/**
 * Limits how many repositories the process fetches at once, in all and for one organization, so that slow
 * repositories of one do not block the others.
 */
@Injectable()
export class CloneSlots {
  private readonly shares: Shares<'organization' | 'replica'>;
  private readonly waiting: Waiting[] = [];

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.shares = new Shares(
      { organization: organizationShare(AT_ONCE, settings), replica: AT_ONCE },
      (most) => new Error(`${most} repositories are fetched already`),
    );
  }

  /**
   * Runs the work as soon as a slot is free.
   * @throws the signal's reason, when it aborts before that
   */
  async run<T>(orgId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(orgId, signal);
    try {
      return await work();
    } finally {
      leave();
      this.startNext();
    }
  }

  private enter(orgId: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const waiting: Waiting = {
        orgId,
        start: (leave) => {
          signal.removeEventListener('abort', giveUp);
          resolve(leave);
        },
      };
      const giveUp = () => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.waiting.push(waiting);
      this.startNext();
    });
  }

  private startNext(): void {
    const keysOf = ({ orgId }: Waiting) => ({ organization: orgId, replica: '' });
    for (;;) {
      const index = this.waiting.findIndex((each) => this.shares.fits(keysOf(each)));
      const [next] = index === -1 ? [] : this.waiting.splice(index, 1);
      if (!next) return;
      next.start(this.shares.take(keysOf(next)));
    }
  }
}
