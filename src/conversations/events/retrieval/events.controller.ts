import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller, READING_SCOPES } from '../../../kernel/auth';
import { ConversationNotFoundError, ConversationPath } from '../../conversations';
import {
  ResponseTooLargeError,
  ApiErrors,
  ApiLinks,
  type JsonResponse,
  TooManyLargeResponsesError,
} from '../../../kernel/http';
import { TooManyWaitingCallsError } from '../../../sandboxes/sandboxes';
import { PlainErrors } from '../../../kernel/validation';
import { EVENT_MODELS, EVENT_SCHEMA } from './event-schema';
import { EventFilter, EventIdsQuery, EventPage, EventPath, EventSearch } from './events.dto';
import { EventLookUpFailedError, EventNotFoundError } from '../storage/events.errors';
import { EventsService } from './events.service';

const JSON_TYPE = 'application/json; charset=utf-8';
const NO_CONVERSATION = { 404: 'There is no such conversation, or none the caller may read.' };
const MANY = 'Too many large answers are being sent.';

@ApiTags('Events')
@ApiExtraModels(...EVENT_MODELS)
@Controller('api')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get('conversations/:conversation_id/events/:event_id')
  @Header('Content-Type', JSON_TYPE)
  @Access({ scope: READING_SCOPES })
  @PlainErrors()
  @ApiOperation({
    summary: 'Read one event of a conversation',
    description:
      'The event as it was received. One that is not stored yet is asked of the agent server while the sandbox runs.',
  })
  @ApiOkResponse({ schema: EVENT_SCHEMA, description: 'The event.' })
  @ApiErrors(
    {
      404: 'The conversation or the event is unknown.',
      429: MANY,
      503: 'The event is not stored, and the agent server could not be asked, or too many calls wait for it.',
    },
    new ConversationNotFoundError(),
    new EventNotFoundError(),
    new TooManyWaitingCallsError('conversation'),
    new EventLookUpFailedError(null),
    new TooManyLargeResponsesError(),
  )
  getConversationEvent(@CurrentCaller() caller: Caller, @Param() path: EventPath): Promise<JsonResponse> {
    return this.events.get(caller, path.conversation_id, path.event_id);
  }

  @Get('v1/conversation/:conversation_id/events/search')
  @Header('Content-Type', JSON_TYPE)
  @Access({ scope: READING_SCOPES })
  @ApiOperation({ summary: 'Search the events of a conversation', description: 'By time, page by page.' })
  @ApiOkResponse({ type: EventPage, description: 'One page.' })
  @ApiLinks({
    getConversationEvent: {
      conversation_id: '$request.path.conversation_id',
      event_id: '$response.body#/items/0/id',
    },
    searchConversationEvents: {
      conversation_id: '$request.path.conversation_id',
      page_id: '$response.body#/next_page_id',
    },
  })
  @ApiErrors(
    { ...NO_CONVERSATION, 429: MANY },
    new ConversationNotFoundError(),
    new TooManyLargeResponsesError(),
  )
  searchConversationEvents(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
    @Query() query: EventSearch,
  ): Promise<JsonResponse> {
    return this.events.search(caller, path.conversation_id, query);
  }

  @Get('v1/conversation/:conversation_id/events/count')
  @Header('Content-Type', JSON_TYPE)
  @Access({ scope: READING_SCOPES })
  @ApiOperation({
    summary: 'Count the events of a conversation',
    description: 'Takes the filters of the search.',
  })
  @ApiOkResponse({ schema: { type: 'integer', example: 12 }, description: 'The number.' })
  @ApiErrors(NO_CONVERSATION, new ConversationNotFoundError())
  countConversationEvents(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
    @Query() query: EventFilter,
  ): Promise<number> {
    return this.events.count(caller, path.conversation_id, query);
  }

  @Get('v1/conversation/:conversation_id/events')
  @Header('Content-Type', JSON_TYPE)
  @Access({ scope: READING_SCOPES })
  @ApiOperation({
    summary: 'Read several events of a conversation',
    description: 'In the order of the ids; null for unknown ones.',
  })
  @ApiOkResponse({
    schema: { type: 'array', items: { anyOf: [EVENT_SCHEMA, { type: 'null' }] } },
    description: 'One entry per id.',
  })
  @ApiErrors(
    { ...NO_CONVERSATION, 413: 'The events have more than 16 MiB together.', 429: MANY },
    new ConversationNotFoundError(),
    new ResponseTooLargeError(),
    new TooManyLargeResponsesError(),
  )
  batchGetConversationEvents(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
    @Query() query: EventIdsQuery,
  ): Promise<JsonResponse> {
    return this.events.getMany(caller, path.conversation_id, query.ids);
  }
}
