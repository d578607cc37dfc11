import { PAGE_ID_EXAMPLE } from '../../../kernel/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  commaList,
  dateTime,
  type ExampleSource,
  Field,
  integer,
  oneOf,
  string,
} from '../../../kernel/validation';
import { ConversationPath } from '../../conversations';
import { EVENT_SCHEMA } from './event-schema';

const id = '469ec610-2ab5-4bec-a843-b6c38639d41b';

const LATEST_EVENT: ExampleSource = {
  get: '/api/v1/conversation/{conversation_id}/events/search?limit=1&sort_order=TIMESTAMP_DESC',
  list: 'items',
  value: 'id',
  none: 'Your latest conversation has no events yet, or there is none: send it a message.',
};

/** `{conversation_id}` and `{event_id}` of one event's path. */
export class EventPath extends ConversationPath {
  @Field(string(), { description: 'Id of the event.', example: id, exampleFrom: LATEST_EVENT })
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

const EVENT_ORDERS = ['TIMESTAMP', 'TIMESTAMP_DESC'] as const;

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
    example: [id],
    exampleFrom: LATEST_EVENT,
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
