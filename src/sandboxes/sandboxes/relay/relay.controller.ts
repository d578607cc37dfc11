import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiDefaultResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access, type Caller, CurrentCaller } from '../../../kernel/auth';
import { ApiErrors, BodyLimit, ClientAbortSignal, ToPutIn } from '../../../kernel/http';
import { PlainErrors } from '../../../kernel/validation';
import { TooManyWaitingCallsError } from '../record/sandboxes.errors';
import { RelayCallRefusedError, RelayedCall, RelayTargetRefusedError, SandboxRelay } from './sandbox-relay';

/** Large enough for messages with images. */
const CALL_MEBIBYTES = 20;

const ANSWER = { 'application/json': { schema: {} }, 'application/octet-stream': { schema: {} } };

@ApiTags('Sandboxes')
@Controller('api/cloud-proxy')
export class RelayController {
  constructor(private readonly calls: SandboxRelay) {}

  @Post()
  @ToPutIn(
    'Put in a running sandbox of yours: as `host` the origin of its agent server in `exposed_urls`, in `headers` its `session_api_key`, and in `path` the id of its conversation.',
  )
  @HttpCode(200)
  @BodyLimit(CALL_MEBIBYTES)
  @PlainErrors()
  @Access({ scope: 'use_conversations' })
  @ApiOperation({
    summary: 'Relay a call to a sandbox',
    description:
      'For pages that cannot reach it: a few calls, to the agent server of a running sandbox of the caller, whose key the call carries. Status and body are those of the agent server.',
  })
  @ApiOkResponse({ content: ANSWER, description: 'What the agent server answered.' })
  @ApiDefaultResponse({ content: ANSWER, description: 'What the agent server answered, with its status.' })
  @ApiErrors(
    {
      403: 'The call is not one that is relayed, or not to a running sandbox of the caller.',
      503: 'The agent server does not answer, or as many calls wait for it as may wait.',
    },
    new RelayCallRefusedError(),
    new RelayTargetRefusedError(),
    new TooManyWaitingCallsError('sandbox'),
  )
  @ApiBody({
    type: RelayedCall,
    examples: {
      'Confirm an action': {
        value: {
          host: 'http://localhost:20001',
          method: 'POST',
          path: '/api/conversations/7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11/events/respond_to_confirmation',
          headers: { 'X-Session-API-Key': 'key-of-the-sandbox' },
          body: { accept: true },
        },
      },
    },
  })
  async relayCall(
    @CurrentCaller() caller: Caller,
    @Body() body: RelayedCall,
    @ClientAbortSignal() clientAbort: AbortSignal,
    @Res() response: Response,
  ): Promise<void> {
    const { status, bytes } = await this.calls.relay(caller, body, clientAbort);
    response
      .status(status)
      .set({
        'Content-Type': looksLikeJson(bytes) ? 'application/json; charset=utf-8' : 'application/octet-stream',
        'Content-Security-Policy': 'sandbox',
        'X-Content-Type-Options': 'nosniff',
      })
      .end(bytes);
  }
}

/** Whether a body starts like JSON; an HTML page never does. */
function looksLikeJson(bytes: Buffer): boolean {
  return /^\s*(?:[[{"\d-]|true|false|null)/.test(bytes.toString('latin1', 0, 64));
}
