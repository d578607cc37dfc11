import { TooManyGitSearchesError } from '../provider-calls/git-search.errors';

const AT_ONCE = 40;
const AT_ONCE_PER_USER = 6;

/** Bounds how many searches run at once: each holds an answer of a provider in memory. */
export class SearchSlots {
  private readonly running: string[] = [];

  /** @throws TooManyGitSearchesError */
  async run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const own = this.running.filter((running) => running === userId).length;
    if (own >= AT_ONCE_PER_USER || this.running.length >= AT_ONCE) throw new TooManyGitSearchesError();
    this.running.push(userId);
    try {
      return await work();
    } finally {
      this.running.splice(this.running.indexOf(userId), 1);
    }
  }
}
