import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
} from '@nestjs/common';
import { ApiBody, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  KeyBoundElsewhereError,
  SignedInByLinkError,
  NoCurrentOrganizationError,
  NotAMemberError,
} from '../../../kernel/auth';
import {
  contentJson,
  MESSAGE_MEBIBYTES,
  OrganizationMessageBytesError,
  QueueClosedError,
  QueueFullError,
  UserMessageBytesError,
} from '../../conversations';
import {
  ApiErrors,
  ApiLinks,
  BodyLimit,
  BodyText,
  type JsonResponse,
  TooManyLargeResponsesError,
  ToPutIn,
} from '../../../kernel/http';
import { Idempotent } from '../../../kernel/idempotency';
import { LimitedAs } from '../../../kernel/request-limits';
import { ValidationStatus } from '../../../kernel/validation';
import {
  PendingMessageOrder,
  PendingMessageRequest,
  PendingMessageResponse,
  PendingMessageUpdate,
  QueuedMessageList,
  QueuedMessagePath,
  QueuePath,
  QueueQuery,
} from './pending-messages.dto';
import {
  EarlyQueueBytesError,
  IdTooLongError,
  InitialMessageFirstError,
  MessageNotFoundError,
  MessageNotQueuedError,
  OrderMismatchError,
  QueueNotFoundError,
  TooManyEarlyQueuesError,
} from '../record/pending-messages.errors';
import { QueueKeyScope } from './queue-key-scope';
import { PendingMessagesService } from './pending-messages.service';

const JSON_TYPE = 'application/json; charset=utf-8';
const NOT_FOUND = 'The conversation is not the caller’s, or the queue holds no such message.';
const ID_TOO_LONG = 'The id is longer than any that is kept.';
const NOT_IN_ORG =
  'No conversation has the id, and the caller may not act in the organization that the queue would be in; or an administrator’s link let the caller in, and the conversation was not started so.';
const ID_ERRORS = [
  new IdTooLongError(255),
  new NotAMemberError(),
  new KeyBoundElsewhereError(),
  new SignedInByLinkError(),
  new QueueNotFoundError(),
  new NoCurrentOrganizationError(),
];
const MANY = 'Too many large answers are being sent.';
const NOT_QUEUED = 'The message is being delivered, was delivered or has failed.';
const TOO_LARGE = 'The body is too large, or what waits under an id without a conversation is.';
const BYTE_ERRORS = [
  new EarlyQueueBytesError(25),
  new UserMessageBytesError(100),
  new OrganizationMessageBytesError(1024),
];

@ApiTags('Queued messages')
@Controller('api/v1/conversations/:conversation_id/pending-messages')
export class PendingMessagesController {
  constructor(private readonly messages: PendingMessagesService) {}

  @Post()
  @HttpCode(200)
  @Access({ scope: 'use_conversations' })
  @LimitedAs('sends')
  @BodyLimit(MESSAGE_MEBIBYTES)
  @Idempotent({ scope: QueueKeyScope })
  @ValidationStatus(400)
  @ApiOperation({
    summary: 'Queue a message',
    description:
      'Stored, and delivered in order as soon as the conversation is ready and its sandbox runs; with `mode: after_run` not while the agent runs. The id may be a start task’s, or one of a conversation that is started later.',
  })
  @ApiOkResponse({ type: PendingMessageResponse, description: 'The message is stored.' })
  @ApiLinks({
    listPendingMessages: { conversation_id: '$request.path.conversation_id' },
    editPendingMessage: {
      conversation_id: '$request.path.conversation_id',
      message_id: '$response.body#/id',
    },
    cancelPendingMessage: {
      conversation_id: '$request.path.conversation_id',
      message_id: '$response.body#/id',
    },
  })
  @ApiErrors(
    {
      400: ID_TOO_LONG,
      403: NOT_IN_ORG,
      404: 'The conversation is not the caller’s.',
      409: 'The conversation can never run again.',
      413: TOO_LARGE,
      429: 'Ten messages wait already, too many bytes do, or too many ids without a conversation have messages waiting.',
    },
    ...ID_ERRORS,
    new QueueClosedError('its start failed.'),
    new QueueFullError(10),
    new TooManyEarlyQueuesError(20),
    ...BYTE_ERRORS,
  )
  @ApiBody({
    type: PendingMessageRequest,
    examples: {
      'A message for later': {
        value: { role: 'user', content: [{ type: 'text', text: 'When you are done, open a pull request.' }] },
      },
      'For when the agent has come to rest': {
        value: {
          role: 'user',
          content: [{ type: 'text', text: 'When you are done, open a pull request.' }],
          mode: 'after_run',
        },
      },
    },
  })
  queuePendingMessage(
    @CurrentCaller() caller: Caller,
    @Param() path: QueuePath,
    @Body() body: PendingMessageRequest,
    @BodyText() text: string,
  ): Promise<PendingMessageResponse> {
    return this.messages.add(caller, path.conversation_id, contentJson(text, ['content']) ?? '[]', body.mode);
  }

  @Get()
  @Header('Content-Type', JSON_TYPE)
  @Access({ scope: 'use_conversations' })
  @ApiOperation({
    summary: 'List the queue',
    description:
      'Queued, delivering and failed messages unless `state` says otherwise; delivered ones are kept for 7 days by default. The queue of a deleted conversation can still be read.',
  })
  @ApiOkResponse({ type: QueuedMessageList, description: 'The messages, first to be delivered first.' })
  @ApiErrors(
    { 400: ID_TOO_LONG, 403: NOT_IN_ORG, 404: NOT_FOUND, 429: MANY },
    ...ID_ERRORS,
    new TooManyLargeResponsesError(),
  )
  listPendingMessages(
    @CurrentCaller() caller: Caller,
    @Param() path: QueuePath,
    @Query() query: QueueQuery,
  ): Promise<JsonResponse> {
    return this.messages.list(caller, path.conversation_id, query.state, query.page_id);
  }

  @Put('order')
  @ToPutIn(
    'Put in the ids of all messages that wait, in their new order: GET lists them. While the sandbox runs they do not wait for long.',
  )
  @Header('Content-Type', JSON_TYPE)
  @Access({ scope: 'use_conversations' })
  @ApiOperation({
    summary: 'Reorder the queue',
    description: 'Names every message that is queued, in the new order. The initial message stays the first.',
  })
  @ApiOkResponse({ type: QueuedMessageList, description: 'The queue as it is now.' })
  @ApiErrors(
    {
      400: ID_TOO_LONG,
      403: NOT_IN_ORG,
      404: NOT_FOUND,
      409: 'A message is claimed already, the ids are not those queued, or the initial message is not the first.',
      429: MANY,
    },
    ...ID_ERRORS,
    new TooManyLargeResponsesError(),
    new MessageNotFoundError(),
    new MessageNotQueuedError('delivering'),
    new OrderMismatchError(),
    new InitialMessageFirstError(),
  )
  @ApiBody({
    type: PendingMessageOrder,
    examples: {
      'Second one first': {
        value: { ids: ['7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e12', '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11'] },
      },
    },
  })
  reorderPendingMessages(
    @CurrentCaller() caller: Caller,
    @Param() path: QueuePath,
    @Body() body: PendingMessageOrder,
  ): Promise<JsonResponse> {
    return this.messages.reorder(caller, path.conversation_id, body.ids);
  }

  @Patch(':message_id')
  @Header('Content-Type', JSON_TYPE)
  @Access({ scope: 'use_conversations' })
  @BodyLimit(MESSAGE_MEBIBYTES)
  @ApiOperation({ summary: 'Edit a queued message', description: 'Only while it is queued.' })
  @ApiOkResponse({ type: QueuedMessageList, description: 'The queue as it is now.' })
  @ApiErrors(
    {
      400: ID_TOO_LONG,
      403: NOT_IN_ORG,
      404: NOT_FOUND,
      409: NOT_QUEUED,
      413: TOO_LARGE,
      429: 'Too many bytes wait already, or too many large answers are being sent.',
    },
    ...ID_ERRORS,
    new TooManyLargeResponsesError(),
    new MessageNotFoundError(),
    new MessageNotQueuedError('delivered'),
    ...BYTE_ERRORS,
  )
  @ApiBody({
    type: PendingMessageUpdate,
    examples: {
      'Other words': { value: { content: [{ type: 'text', text: 'Open a draft pull request.' }] } },
      'At once after all': {
        value: { content: [{ type: 'text', text: 'Open a draft pull request.' }], mode: 'steer' },
      },
    },
  })
  editPendingMessage(
    @CurrentCaller() caller: Caller,
    @Param() path: QueuedMessagePath,
    @Body() body: PendingMessageUpdate,
    @BodyText() text: string,
  ): Promise<JsonResponse> {
    return this.messages.edit(caller, path.conversation_id, path.message_id, {
      content: contentJson(text, ['content']) ?? '[]',
      ...(body.mode && { mode: body.mode }),
    });
  }

  @Delete(':message_id')
  @HttpCode(204)
  @Access({ scope: 'use_conversations' })
  @ApiOperation({
    summary: 'Cancel a queued message',
    description: 'A cancelled message is never delivered.',
  })
  @ApiNoContentResponse({ description: 'It is cancelled.' })
  @ApiErrors(
    { 400: ID_TOO_LONG, 403: NOT_IN_ORG, 404: NOT_FOUND, 409: NOT_QUEUED },
    ...ID_ERRORS,
    new MessageNotFoundError(),
    new MessageNotQueuedError('delivered'),
  )
  cancelPendingMessage(@CurrentCaller() caller: Caller, @Param() path: QueuedMessagePath): Promise<void> {
    return this.messages.cancel(caller, path.conversation_id, path.message_id);
  }
}
