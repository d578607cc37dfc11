import { Shares } from '../../../kernel/common';
import { organizationShare, type Settings } from '../../../kernel/config';
import { TooManyPreviewsError } from './skills.errors';

const AT_ONCE = 40;
const RETRY_AFTER_SECONDS = 5;

/** Limits how many preview calls run at once, and waits for them at shutdown. */
export class PreviewLimiter {
  private readonly running = new Set<Promise<unknown>>();
  private readonly shares: Shares<'organization' | 'replica'>;

  constructor(settings: Settings) {
    this.shares = new Shares(
      { organization: organizationShare(AT_ONCE, settings), replica: AT_ONCE },
      () => new TooManyPreviewsError(RETRY_AFTER_SECONDS),
    );
  }

  /** @throws TooManyPreviewsError */
  async run<T>(orgId: string, work: () => Promise<T>): Promise<T> {
    const call = this.shares.during({ organization: orgId, replica: '' }, work);
    this.running.add(call);
    try {
      return await call;
    } finally {
      this.running.delete(call);
    }
  }

  /** Waits for all running calls. */
  async allDone(): Promise<void> {
    await Promise.allSettled(this.running);
  }
}
