import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AgentServerUnavailableError } from '../../../sandboxes/agent-server';
import { Access, type Caller, CurrentCaller, SignedInByLinkError } from '../../../kernel/auth';
import { ApiErrors, Success } from '../../../kernel/http';
import {
  SandboxFailedError,
  SandboxNotRunningError,
  TooManyWaitingCallsError,
} from '../../../sandboxes/sandboxes';
import { ConversationPath } from '../app-conversations/app-conversation.dto';
import { ConversationNotFoundError, SandboxNotFoundError } from '../record/conversations.errors';
import { ConversationArchivedError, UnknownToAgentServerError } from '../send-message/send-message.errors';
import { InterruptService } from './interrupt.service';

@ApiTags('Conversations')
@Controller('api/v1/app-conversations')
export class InterruptController {
  constructor(private readonly interrupts: InterruptService) {}

  @Post(':conversation_id/interrupt')
  @HttpCode(200)
  @Access({ scope: 'use_conversations' })
  @ApiOperation({
    summary: 'Interrupt the agent',
    description:
      'Stops its run, also in the middle of a tool or of a call to its model. Where no run is under way there is nothing to stop. Messages with `mode: after_run` go to it afterwards.',
  })
  @ApiOkResponse({ type: Success, description: 'The agent does not run any more.' })
  @ApiErrors(
    {
      403: 'An administrator’s link let the caller in, and the conversation was not started so.',
      404: 'The conversation or its sandbox is unknown.',
      409: 'The sandbox does not run, and so no agent does.',
      410: 'The conversation is archived: its sandbox no longer exists.',
      503: 'The sandbox is in state ERROR, or the agent server is unavailable, or too many calls wait for it.',
    },
    new SignedInByLinkError(),
    new ConversationNotFoundError(),
    new SandboxNotFoundError(),
    new UnknownToAgentServerError(),
    new SandboxNotRunningError('PAUSED', '5b2f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e22'),
    new ConversationArchivedError(),
    new SandboxFailedError(),
    new TooManyWaitingCallsError('conversation'),
    new AgentServerUnavailableError(false, 'ECONNREFUSED'),
  )
  async interruptConversation(
    @CurrentCaller() caller: Caller,
    @Param() path: ConversationPath,
  ): Promise<Success> {
    await this.interrupts.interrupt(caller, path.conversation_id);
    return { success: true };
  }
}
