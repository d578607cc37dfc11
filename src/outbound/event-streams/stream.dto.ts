import { AUDIT_KIND, DOMAIN_EVENT_KINDS } from '../../kernel/domain-events';
import { commaList, dateTime, Field, integer, oneOf, string } from '../../kernel/validation';
import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiOkResponse, ApiProduces } from '@nestjs/swagger';

const TICKET = 'h3uQ0n0r1m0fXJ2tQ0m4o1Z8k2w5y7A9b3C6d8E0f2G';

/** The position in the header of a browser that connects again. */
export class ResumeHeaders {
  @Field(integer({ ge: 0 }), {
    optional: true,
    description: 'The last `id` received: the stream goes on after it. Counts before `after`.',
    example: 0,
  })
  'Last-Event-ID'?: number;
}

/** Where a stream begins, and who may read it. */
class StreamQuery {
  @Field(integer({ ge: 0 }), {
    optional: true,
    description:
      'The `id` after which the stream begins; 0 for all there is. Without one: what comes from now on.',
    example: 0,
  })
  after?: number;

  @Field(string(), {
    optional: true,
    description: 'A ticket of `stream-ticket`, in place of a key.',
    example: TICKET,
  })
  ticket?: string;
}

/** What a stream of a conversation has. */
export class ConversationStreamQuery extends StreamQuery {
  @Field(commaList(string()), {
    description: 'Kinds of events, repeated or separated by commas; without any: all.',
    example: ['MessageEvent'],
  })
  kind: string[] = [];
}

/** For the whole process, as its classes are: the kinds of the service that was composed last. */
const TYPES: string[] = DOMAIN_EVENT_KINDS.filter((kind) => kind !== AUDIT_KIND);

/** Sets which kinds of domain events a stream of an organization may be asked for. */
export function setStreamedTypes(kinds: readonly string[]): void {
  TYPES.splice(0, TYPES.length, ...kinds);
}

/** What a stream of an organization has. */
export class OrganizationStreamQuery extends StreamQuery {
  @Field(commaList(oneOf(TYPES)), {
    description: 'Types of domain events, repeated or separated by commas; without any: all.',
    example: ['conversation.created'],
  })
  type: string[] = [];
}

/** A ticket. */
export class StreamTicketResponse {
  @Field(string(), {
    description: 'For `?ticket=` of the stream, once; shown this once.',
    example: TICKET,
  })
  ticket!: string;

  @Field(dateTime(), { description: 'From when on it opens nothing.' })
  expires_at!: string;
}

/** What streams say of themselves in the OpenAPI document. @param example frames as they are sent */
export function ApiEventStream(description: string, example: string): MethodDecorator {
  const content = { 'text/event-stream': { schema: { type: 'string' }, example } };
  return applyDecorators(
    ApiProduces('text/event-stream'),
    ApiOkResponse({ description, content }),
    ApiExtension('x-stream', true),
  );
}
