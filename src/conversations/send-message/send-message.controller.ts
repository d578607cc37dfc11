import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../auth';
import { BodyLimit, BodyText, ApiErrors } from '../../http';
import { Idempotent } from '../../idempotency';
import { LimitedAs } from '../../request-limits';
import { ConversationPath } from '../app-conversations/app-conversation.dto';
import { ConversationKeyScope } from '../access/conversation-key-scope';
import { AppSendMessageRequest, AppSendMessageResponse } from './send-message.dto';
import { forwardedMessage } from './message-json';
import { ConversationNotFoundError, SandboxNotFoundError } from '../record/conversations.errors';
import { SandboxFailedError, SandboxNotRunningError, TooManyWaitingCallsError } from '../../sandboxes';
import {
  ConversationArchivedError,
  MessageNotSentError,
  UnknownToAgentServerError,
} from './send-message.errors';
import { SendMessageService } from './send-message.service';

/** Images come as data URLs (docs/contract.md#body-limits). */
export const MESSAGE_MEBIBYTES = 20;

@ApiTags('Conversations')
@Controller('api/v1/app-conversations')
export class SendMessageController {
  constructor(private readonly messages: SendMessageService) {}

  @Post(':conversation_id/send-message')
  @HttpCode(200)
  @Access()
  @LimitedAs('sends')
  @BodyLimit(MESSAGE_MEBIBYTES)
  @Idempotent({ scope: ConversationKeyScope })
  @ApiOperation({
    summary: 'Send a follow-up message',
    description:
      'Hands the message to the agent server as it is and adds nothing of its own. The sandbox must be RUNNING.',
  })
  @ApiOkResponse({ type: AppSendMessageResponse, description: 'The agent server has the message.' })
  @ApiErrors(
    {
      404: 'The conversation or its sandbox is unknown.',
      409: 'The sandbox is there but not running (PAUSED, STARTING, STOPPING); the sentence names the status, and the resume path when PAUSED.',
      410: 'The conversation is archived: its sandbox no longer exists.',
      503: 'The sandbox is in state ERROR, or the agent server is unavailable, or too many calls wait for it.',
    },
    new ConversationNotFoundError(),
    new SandboxNotFoundError(),
    new UnknownToAgentServerError(),
    new SandboxNotRunningError('PAUSED', '5b2f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e22'),
    new ConversationArchivedError(),
    new SandboxFailedError(),
    new TooManyWaitingCallsError('conversation'),
    new MessageNotSentError('ECONNREFUSED', false),
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
  sendMessage(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
    @Body() body: AppSendMessageRequest,
    @BodyText() text: string,
  ): Promise<AppSendMessageResponse> {
    return this.messages.send(caller, path.conversation_id, forwardedMessage(body, text));
  }
}
