import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { EVENT_TEXTS } from './event-texts.read-model';
import { GroupedCalls } from '../grouping/grouped-calls';
import { MAX_BODY_BYTES } from './payload';

interface EventRef {
  readonly conversationId: string;
  readonly eventId: string;
}

/** Reads the agents' events that callbacks are about. */
@Injectable()
export class EventTexts {
  private readonly reads = new GroupedCalls<EventRef, { readonly text: string | null }>(
    (refs) => this.read(refs),
    200,
  );

  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** @returns an event as it was received; null for one that is gone, or too long for a callback */
  async of(conversationId: string, eventId: string): Promise<string | null> {
    return (await this.reads.call({ conversationId, eventId })).text;
  }

  private async read(refs: readonly EventRef[]): Promise<{ readonly text: string | null }[]> {
    const rows = await EVENT_TEXTS.rows(this.database, [
      refs.map(({ conversationId }) => conversationId),
      refs.map(({ eventId }) => eventId),
      MAX_BODY_BYTES,
    ]);
    const texts = new Map(rows.map(({ conversation_id, id, text }) => [`${conversation_id} ${id}`, text]));
    return refs.map(({ conversationId, eventId }) => ({
      text: texts.get(`${conversationId} ${eventId}`) ?? null,
    }));
  }
}
