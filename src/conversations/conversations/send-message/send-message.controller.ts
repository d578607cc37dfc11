import { Body, Controller, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { BudgetExhaustedError, EXHAUSTED_EXAMPLE } from '../../../agents/budgets';
import { Access, type Caller, CurrentCaller, SignedInByLinkError } from '../../../kernel/auth';
import { ApiErrors, BodyLimit, requestBodyText } from '../../../kernel/http';
import { Idempotent } from '../../../kernel/idempotency';
import { LimitedAs } from '../../../kernel/request-limits';
import { ConversationPath } from '../app-conversations/app-conversation.dto';
import { ConversationKeyScope } from '../access/conversation-key-scope';
import {
  AppSendMessageRequest,
  AppSendMessageResponse,
  QueuedSendResponse,
  SendMessageQuery,
  contentJson,
  forwardedMessage,
} from './send-message.dto';
import {
  OrganizationMessageBytesError,
  QueueClosedError,
  QueueFullError,
  UserMessageBytesError,
} from '../queue/conversation-queue.errors';
import { ConversationNotFoundError, SandboxNotFoundError } from '../record/conversations.errors';
import {
  ConcurrencyLimitReachedError,
  SandboxDriverUnavailableError,
  SandboxFailedError,
  SandboxNotRunningError,
  TooManyWaitingCallsError,
} from '../../../sandboxes/sandboxes';
import {
  ConversationArchivedError,
  MessageNotSentError,
  RunRequiredToWakeError,
  UnknownToAgentServerError,
} from './send-message.errors';
import { SendMessageService, WakingSends } from './send-message.service';

/** Images come as data URLs (docs/contract.md#body-limits). */
export const MESSAGE_MEBIBYTES = 20;

@ApiTags('Conversations')
@Controller('api/v1/app-conversations')
export class SendMessageController {
  constructor(
    private readonly messages: SendMessageService,
    private readonly waking: WakingSends,
  ) {}

  @Post(':conversation_id/send-message')
  @HttpCode(200)
  @Access({ scope: 'use_conversations' })
  @LimitedAs('sends')
  @BodyLimit(MESSAGE_MEBIBYTES)
  @Idempotent({ scope: ConversationKeyScope })
  @ApiOperation({
    summary: 'Send a follow-up message',
    description:
      'Hands the message to the agent server as it is and adds nothing of its own. The sandbox must be RUNNING, or `wait=resume` queues the message and resumes it.',
  })
  @ApiOkResponse({ type: AppSendMessageResponse, description: 'The agent server has the message.' })
  @ApiAcceptedResponse({
    type: QueuedSendResponse,
    description: 'With `wait=resume`: the message is queued, and the sandbox starts.',
  })
  @ApiErrors(
    {
      400: '`wait=resume` came with `run: false`.',
      402: 'A budget that the conversation counts for is exhausted; the sentence says which, and when it is open again.',
      403: 'An administrator’s link let the caller in, and the conversation was not started so.',
      404: 'The conversation or its sandbox is unknown.',
      409: 'The sandbox is there but not running (PAUSED, STARTING, STOPPING); the sentence names the status, and the resume path when PAUSED.',
      410: 'The conversation is archived: its sandbox no longer exists.',
      429: 'With `wait=resume`: ten messages wait already, too many bytes do, or as many sandboxes as allowed are not paused.',
      503: 'The sandbox is in state ERROR, or the agent server is unavailable, or too many calls wait for it.',
    },
    new SignedInByLinkError(),
    new ConversationNotFoundError(),
    new SandboxNotFoundError(),
    new UnknownToAgentServerError(),
    new SandboxNotRunningError('PAUSED', '5b2f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e22'),
    new ConversationArchivedError(),
    new SandboxFailedError(),
    new BudgetExhaustedError(EXHAUSTED_EXAMPLE),
    new TooManyWaitingCallsError('conversation'),
    new MessageNotSentError('ECONNREFUSED', false),
    new RunRequiredToWakeError(),
    new QueueClosedError('its start failed.'),
    new QueueFullError(10),
    new UserMessageBytesError(100),
    new OrganizationMessageBytesError(1024),
    new ConcurrencyLimitReachedError(20, 'organization', 840),
    new SandboxDriverUnavailableError(),
  )
  @ApiBody({
    type: AppSendMessageRequest,
    examples: {
      'A message': { value: { role: 'user', content: [{ type: 'text', text: 'Now run the tests again.' }] } },
      'With an image, without running the agent': {
        value: {
          role: 'user',
          content: [
            { type: 'text', text: 'This is what I see.' },
            { type: 'image', image_urls: ['data:image/png;base64,iVBORw0KGgo='] },
          ],
          run: false,
        },
      },
    },
  })
  async sendMessage(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
    @Query() query: SendMessageQuery,
    @Body() body: AppSendMessageRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AppSendMessageResponse | QueuedSendResponse> {
    const { conversation_id: id } = path;
    const text = requestBodyText(response.req);
    const rawBody = forwardedMessage(body, text);
    if (query.wait === undefined) return this.messages.send(caller, id, rawBody);
    const { run } = body;
    const content = contentJson(text, ['content']) ?? '[]';
    const sent = await this.waking.send(caller, id, { rawBody, content, run });
    if ('queued' in sent) response.status(202);
    return sent;
  }
}
