import { Injectable } from '@nestjs/common';
import { MEBIBYTE, storableText } from '../../../kernel/common';
import { type EventLogPage, EventLogReader } from '../../../conversations/events';
import {
  MAX_SHARED_BYTES,
  type SourceBounds,
  type SourcePage,
  StreamSource,
  StreamStep,
  type WantedEvents,
} from './stream-source';

/** What streams that follow their conversations read at once, of all of them together. */
const TAILS = { kinds: null, events: 100, bytes: 4 * MEBIBYTE, largest: null };

/** What one stream reads at once; of single kinds, most of what is looked through has no text. */
const PAGE = { events: 200, bytes: 128 * 1024, largest: MAX_SHARED_BYTES };
const EVENTS_LOOKED_THROUGH = 2_000;
const ONE_EVENT = { events: 1, bytes: 1, largest: null };

/** The events of conversations in the order of their numbers, which have no gaps as long as nothing is deleted. */
@Injectable()
export class ConversationSource extends StreamSource {
  constructor(private readonly events: EventLogReader) {
    super();
  }

  override async bounds(conversationId: string): Promise<SourceBounds> {
    const last = await this.events.last(conversationId);
    return { last, highest: last };
  }

  override async nextOfEach(cursors: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, SourcePage>> {
    const pages = await this.events.after(cursors, TAILS);
    return new Map([...pages].map(([id, page]) => [id, toSourcePage(page, cursors.get(id) ?? 0)]));
  }

  override async next(
    conversationId: string,
    after: number,
    { kinds, large }: WantedEvents,
  ): Promise<SourcePage> {
    const limits = {
      ...PAGE,
      ...(kinds !== null && { events: EVENTS_LOOKED_THROUGH }),
      ...(large && ONE_EVENT),
      kinds: kinds === null ? null : [...kinds].map(storableText),
    };
    const page = (await this.events.after(new Map([[conversationId, after]]), limits)).get(conversationId);
    return page === undefined ? { steps: [], end: after, hasMore: false } : toSourcePage(page, after);
  }
}

function toSourcePage({ events, last, hasMore }: EventLogPage, after: number): SourcePage {
  const steps: StreamStep[] = [];
  let end = after;
  const skipTo = (position: number): void => {
    if (position > end) steps.push(StreamStep.gap(end + 1, position));
  };
  for (const { seq, kind, payload } of events) {
    skipTo(seq - 1);
    if (payload !== null) steps.push(StreamStep.event(seq, kind, payload));
    end = seq;
  }
  if (hasMore) return { steps, end, hasMore };
  skipTo(last);
  return { steps, end: last, hasMore };
}
