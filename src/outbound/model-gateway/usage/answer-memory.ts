import { Inject, Injectable } from '@nestjs/common';
import { KeyedSemaphore, MEBIBYTE } from '../../../kernel/common';
import { SETTINGS, type Settings, organizationShare } from '../../../kernel/config';
import { KEPT_END } from './gathered-bytes';

/** Bytes of answers that a replica keeps until it has read them. */
const MOST_BYTES = 256 * MEBIBYTE;
/** What is not counted: room for the end of an answer, and for what comes next. */
const FREE_BYTES = 2 * KEPT_END;

type Scope = 'organization' | 'replica';

/** How much of their answers all calls together keep. */
@Injectable()
export class AnswerMemory {
  private readonly bytes: KeyedSemaphore<Scope>;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.bytes = new KeyedSemaphore({
      organization: organizationShare(MOST_BYTES, settings),
      replica: MOST_BYTES,
    });
  }

  /** What is kept of one answer to a call of an organization: nothing yet. */
  of(organization: string): AnswerRoom {
    return new AnswerRoom(this.bytes, organization);
  }
}

/** What is kept of one answer. */
export class AnswerRoom {
  private taken = 0;
  private giveBack: () => void = () => undefined;

  constructor(
    private readonly bytes: KeyedSemaphore<Scope>,
    private readonly organization: string,
  ) {}

  /** Counts so many bytes, in place of those before. @returns whether there is room for them; where not, none are counted */
  holds(bytes: number): boolean {
    const wanted = bytes > FREE_BYTES ? bytes : 0;
    if (wanted === this.taken) return true;
    this.giveBack();
    this.taken = 0;
    const keys = { organization: this.organization, replica: 'all' };
    if (!this.bytes.fits(keys, wanted)) return false;
    this.giveBack = this.bytes.take(keys, wanted);
    this.taken = wanted;
    return true;
  }
}
