import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { EVENT_TEXTS } from './event-texts.read-model';
import { GroupedCalls } from '../grouped-calls';

/** Less than what Standard Webhooks recommends as the most: 20 kB. */
const MAX_BODY_BYTES = 20_000;

/** The parts of a body. */
interface PayloadSource {
  readonly type: string;
  readonly occurredAt: Date;
  /** JSON of an object. */
  readonly data: string;
  /** The agent's event as it was received; undefined for other types, null when it is gone. */
  readonly event: string | null | undefined;
}

/** The body of a callback (docs/webhooks.md#delivery); an event that would make it too long is left out. */
export function bodyOf(source: PayloadSource): string {
  const { event } = source;
  if (event === undefined) return withData(source, source.data);
  const whole = withData(source, withEvent(source.data, event ?? 'null'));
  return Buffer.byteLength(whole) < MAX_BODY_BYTES ? whole : withData(source, withEvent(source.data, 'null'));
}

function withData({ type, occurredAt }: PayloadSource, data: string): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${occurredAt.toISOString()}","data":${data}}`;
}

function withEvent(data: string, event: string): string {
  return `${data.slice(0, -1)},"event":${event}}`;
}

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
