import { Inject, Injectable } from '@nestjs/common';
import { KeyedSemaphore } from '../../../kernel/common';
import { organizationShare, SETTINGS, type Settings } from '../../../kernel/config';

const AT_ONCE = 12;

/**
 * Limits how many repositories the process fetches at once, in all and for one organization, so that slow
 * repositories of one do not block the others.
 */
@Injectable()
export class CloneSlots {
  private readonly slots: KeyedSemaphore<'organization' | 'replica'>;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.slots = new KeyedSemaphore({ organization: organizationShare(AT_ONCE, settings), replica: AT_ONCE });
  }

  /**
   * Runs the work as soon as a slot is free.
   * @throws the signal's reason, when it aborts before that
   */
  run<T>(organization: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.slots.whenFree({ organization, replica: '' }, work, { signal });
  }
}
