import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../../kernel/auth';
import { ApiErrors } from '../../../kernel/http';
import { AgentServerUnavailableError } from '../../../sandboxes/agent-server';
import { SandboxFailedError, TooManyWaitingCallsError } from '../../../sandboxes/sandboxes';
import { OrgConversationPath } from '../org-list/list/org-conversations.dto';
import { ConversationNotFoundError } from '../record/conversations.errors';
import { StopRequest, StopResponse } from './stop.dto';
import { AgentRunsAgainError } from './stop.errors';
import { StopService } from './stop.service';

@ApiTags('Organization conversations')
@Controller('api/organizations/:org_id/conversations')
export class StopController {
  constructor(private readonly stops: StopService) {}

  @Post(':conversation_id/stop')
  @HttpCode(200)
  @Access({ org: 'path', permission: 'stop_org_conversations' })
  @ApiOperation({
    summary: "Stop a member's conversation",
    description:
      'Interrupts its agent and fails what is queued, with a reason that its creator reads among its events. The conversation goes on with the next message. For admins and owners.',
  })
  @ApiBody({
    type: StopRequest,
    examples: { 'With a reason': { value: { reason: 'It works on the wrong repository.' } } },
  })
  @ApiOkResponse({ type: StopResponse, description: 'The agent does not run, and nothing is queued.' })
  @ApiErrors(
    {
      404: 'The organization has no such conversation.',
      409: 'A message that was on its way has the agent run again, or may do so.',
      503: 'The sandbox is in state ERROR, or the agent server is unavailable, or too many calls wait for it.',
    },
    new ConversationNotFoundError(),
    new AgentRunsAgainError(),
    new SandboxFailedError(),
    new TooManyWaitingCallsError('conversation'),
    new AgentServerUnavailableError(false, 'ECONNREFUSED'),
  )
  stopOrgConversation(
    @CurrentCaller() caller: Caller,
    @Param() path: OrgConversationPath,
    @Body() body: StopRequest,
  ): Promise<StopResponse> {
    return this.stops.stop(caller, path, body.reason);
  }
}
