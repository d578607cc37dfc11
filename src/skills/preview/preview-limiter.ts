import { TooManyPreviewsError } from './skills.errors';

const AT_ONCE = 40;
const AT_ONCE_PER_ORGANIZATION = 20;
const RETRY_AFTER_SECONDS = 5;

/** Limits how many preview calls run at once, and waits for them at shutdown. */
export class PreviewLimiter {
  private readonly running = new Map<Promise<unknown>, string>();

  /** @throws TooManyPreviewsError */
  async run<T>(orgId: string, work: () => Promise<T>): Promise<T> {
    const ofOrganization = [...this.running.values()].filter((running) => running === orgId);
    if (this.running.size >= AT_ONCE || ofOrganization.length >= AT_ONCE_PER_ORGANIZATION)
      throw new TooManyPreviewsError(RETRY_AFTER_SECONDS);
    const call = work();
    this.running.set(call, orgId);
    try {
      return await call;
    } finally {
      this.running.delete(call);
    }
  }

  /** Waits for all running calls. */
  async allDone(): Promise<void> {
    await Promise.allSettled(this.running.keys());
  }
}
