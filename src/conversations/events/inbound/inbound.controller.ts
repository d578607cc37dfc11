import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentSandbox, SandboxAccess, type SandboxCaller } from '../../../kernel/auth';
import { BodyLimit, BodyText, ApiErrors } from '../../../kernel/http';
import {
  ConversationEventBytesError,
  ForeignConversationError,
  MalformedCallError,
  OrganizationEventBytesError,
} from '../storage/events.errors';
import { InboundService } from './inbound.service';
import { boolean, Field, string } from '../../../kernel/validation';
import { LATEST_CONVERSATION } from '../../conversations';

/** `{conversation_id}` as agent servers write it. */
class InboundPath {
  @Field(string(), {
    description: 'Id of the conversation, 32 hexadecimal digits.',
    example: '7b1f9f864d0c4a3e9d1b0a4f6c1f2e11',
    exampleFrom: LATEST_CONVERSATION,
  })
  conversation_id!: string;
}

/** The response to an agent server. */
class InboundAnswer {
  @Field(boolean(), { description: 'Always true.', example: true })
  success!: boolean;
}

const FAILURES = {
  400: 'The body is not what the agent server’s protocol says.',
  404: 'The conversation is not one of the sandbox whose key the call carries.',
};

/** Events come with whole files in them (docs/contract.md#body-limits). */
const WEBHOOK_MEBIBYTES = 8;

@ApiTags('Calls of agent servers')
@Controller('api/v1/webhooks')
export class InboundController {
  constructor(private readonly inbound: InboundService) {}

  @Post('events/:conversation_id')
  @HttpCode(200)
  @SandboxAccess()
  @BodyLimit(WEBHOOK_MEBIBYTES)
  @ApiOperation({
    summary: 'Report events of a conversation',
    description: 'Called by agent servers. Each event is stored once; an answer of 200 means stored.',
  })
  @ApiBody({
    schema: { type: 'array', items: { type: 'object' } },
    examples: {
      'One event': {
        value: [
          {
            id: '469ec610-2ab5-4bec-a843-b6c38639d41b',
            kind: 'PauseEvent',
            timestamp: '2026-11-21T09:30:00.123456',
            source: 'user',
          },
        ],
      },
    },
  })
  @ApiOkResponse({ type: InboundAnswer, description: 'The events are stored.' })
  @ApiErrors(
    {
      ...FAILURES,
      413: 'The body, or what is stored of the conversation or the organization, is too large.',
    },
    new MalformedCallError('Every event must be an object with an id.'),
    new ForeignConversationError(),
    new ConversationEventBytesError(2048),
    new OrganizationEventBytesError(204_800),
  )
  async receiveEvents(
    @CurrentSandbox() sandbox: SandboxCaller,
    @Param() path: InboundPath,
    @Body() _events: unknown[],
    @BodyText() text: string,
  ): Promise<InboundAnswer> {
    await this.inbound.takeEvents(sandbox, path.conversation_id, text);
    return { success: true };
  }

  @Post('conversations')
  @HttpCode(200)
  @SandboxAccess()
  @BodyLimit(WEBHOOK_MEBIBYTES)
  @ApiOperation({
    summary: 'Report the state of a conversation',
    description: 'Called by agent servers. A conversation the service does not know becomes a record.',
  })
  @ApiBody({
    schema: { type: 'object' },
    examples: {
      'The state': { value: { id: '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11', execution_status: 'idle' } },
    },
  })
  @ApiOkResponse({ type: InboundAnswer, description: 'The state is stored.' })
  @ApiErrors(
    FAILURES,
    new MalformedCallError('Every event must be an object with an id.'),
    new ForeignConversationError(),
  )
  async receiveConversation(
    @CurrentSandbox() sandbox: SandboxCaller,
    @Body() info: object,
  ): Promise<InboundAnswer> {
    await this.inbound.takeConversation(sandbox, info);
    return { success: true };
  }
}
