import { PAGE_ID_EXAMPLE } from '../../../kernel/common';
import { ApiProperty } from '@nestjs/swagger';
import { commaList, dateTime, Field, integer, oneOf, string, uuid } from '../../../kernel/validation';
import { EVENT_SCHEMA } from './event-schema';

const id = '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11';

/** `{conversation_id}` and `{event_id}` of one event's path. */
export class EventPath {
  @Field(uuid(), { description: 'Id of the conversation.', example: id })
  conversation_id!: string;

  @Field(string(), { description: 'Id of the event.', example: '469ec610-2ab5-4bec-a843-b6c38639d41b' })
  event_id!: string;
}

/** Which events of a conversation. */
export class EventFilter {
  @Field(string(), { optional: true, description: 'Of this kind.', example: 'MessageEvent' })
  kind__eq?: string;

  @Field(dateTime(), { optional: true, description: 'From then on.', example: '2026-11-21T00:00:00Z' })
  timestamp__gte?: Date;

  @Field(dateTime(), { optional: true, description: 'Before then.', example: '2026-11-22T00:00:00Z' })
  timestamp__lt?: Date;
}

export const EVENT_ORDERS = ['TIMESTAMP', 'TIMESTAMP_DESC'] as const;

/** Which events of a conversation, and in which order. */
export class EventSearch extends EventFilter {
  @Field(oneOf(EVENT_ORDERS), { description: 'Order by time; ties by the order of arrival.' })
  sort_order: (typeof EVENT_ORDERS)[number] = 'TIMESTAMP';

  @Field(string(), {
    optional: true,
    description: '`next_page_id` of the page before.',
    example: PAGE_ID_EXAMPLE,
  })
  page_id?: string;

  @Field(integer({ ge: 1 }), { description: 'Events of a page; above 100 counts as 100.' })
  limit = 100;
}

/** `?ids=` of events. */
export class EventIdsQuery {
  @Field(commaList(string()), {
    description: 'Ids, repeated or separated by commas; at most 100 are read.',
    example: ['469ec610-2ab5-4bec-a843-b6c38639d41b'],
  })
  ids: string[] = [];
}

/** A page of events. */
export class EventPage {
  @ApiProperty({ type: 'array', items: EVENT_SCHEMA, description: 'The events as they were received.' })
  items!: Record<string, unknown>[];

  @Field(string(), { nullable: true, description: 'What to pass as `page_id` for the next page.' })
  next_page_id!: string | null;
}
