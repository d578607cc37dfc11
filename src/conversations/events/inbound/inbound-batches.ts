import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../kernel/common';
import { rawJsonItems } from '../../../kernel/validation';
import { MalformedCallError } from '../storage/events.errors';
import { readEvent, type ReceivedEvent } from '../storage/received-event';
import { isTransient, TransientEvents } from './transient-events';

/** What a call of an agent server carries. */
export interface InboundBatch {
  /** To be stored. */
  readonly events: readonly ReceivedEvent[];
  /** JSON texts of what is passed on only. */
  readonly transient: readonly string[];
}

/** Reads the events of agent servers' calls. */
@Injectable()
export class InboundBatches {
  private readonly log = new Logger('Events');

  constructor(
    private readonly clock: Clock,
    private readonly transient: TransientEvents,
  ) {}

  /**
   * @param body the JSON text of an array of events
   * @throws MalformedCallError for one without any event
   */
  read(body: string): InboundBatch {
    const receivedAt = this.clock.now();
    const texts = rawJsonItems(body);
    const transient = texts.filter(isTransient);
    const lasting = transient.length === 0 ? texts : texts.filter((text) => !isTransient(text));
    const events = lasting.map((text) => readEvent(text, receivedAt)).filter((event) => event !== null);
    if (events.length === lasting.length) return { events, transient };
    // The agent server would drop all of them.
    if (events.length === 0 && transient.length === 0)
      throw new MalformedCallError('No event is an object with an id.');
    this.log.warn(`Skipped ${lasting.length - events.length} of ${texts.length} events without an id`);
    return { events, transient };
  }

  /** Passes on what is not stored. */
  pass(conversationId: string, { transient }: InboundBatch): void {
    this.transient.pass(conversationId, transient);
  }
}
