import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../../kernel/auth';
import { ApiErrors, BodyLimit, TakesForms, ToPutIn } from '../../../kernel/http';
import {
  AccessDeniedError,
  AuthorizationPendingError,
  DeviceLoginOffError,
  ExpiredTokenError,
  InvalidGrantError,
  InvalidRequestError,
  InvalidScopeError,
  SlowDownError,
  TooManyDeviceLoginsError,
  UnsupportedGrantTypeError,
} from '../device-login.errors';
import {
  DEVICE_GRANT,
  DeviceAuthorization,
  DeviceAuthorizationRequest,
  DeviceToken,
  DeviceTokenRequest,
} from './device-login.dto';
import { DeviceLogins } from './device-logins.service';
import { DeviceTokens } from './device-tokens.service';

/** As OAuth has it. JSON is taken, too; generators of clients stumble over two. */
const TYPE = 'application/x-www-form-urlencoded';
const LIMIT_MEBIBYTES = 1 / 64;

/** What devices ask (RFC 8628). */
@ApiTags('Device login')
@Public()
@BodyLimit(LIMIT_MEBIBYTES)
@Controller('oauth/device')
export class DeviceLoginController {
  constructor(
    private readonly logins: DeviceLogins,
    private readonly tokens: DeviceTokens,
  ) {}

  @Post('authorize')
  @HttpCode(200)
  @TakesForms()
  @ApiConsumes(TYPE)
  @ApiOperation({
    summary: 'Begin a login of a device',
    description:
      'Answers a code to be shown to a person, who approves it in their browser, and one with which the program asks for its key meanwhile (RFC 8628).',
  })
  @ApiBody({
    type: DeviceAuthorizationRequest,
    examples: {
      'A key that can do all that its person may': { value: { client_id: 'Acme command line' } },
      'A key for conversations': { value: { client_id: 'Acme command line', scope: 'use_conversations' } },
    },
  })
  @ApiOkResponse({ type: DeviceAuthorization, description: 'The codes.' })
  @ApiErrors(
    {
      400: 'The request is none that OAuth knows.',
      404: 'The service has no pages to sign in at.',
      429: 'Too many logins wait to be approved.',
    },
    new InvalidRequestError('client_id has at most 100 characters.'),
    new InvalidScopeError(),
    new DeviceLoginOffError(),
    new TooManyDeviceLoginsError(),
  )
  authorizeDevice(
    @Req() request: Request,
    @Body() body: DeviceAuthorizationRequest,
  ): Promise<DeviceAuthorization> {
    return this.logins.begin(request, body);
  }

  @Post('token')
  @HttpCode(200)
  @TakesForms()
  @ToPutIn(
    'Put in the `device_code` that `POST /oauth/device/authorize` answered; its login has to be approved.',
  )
  @ApiConsumes(TYPE)
  @ApiOperation({
    summary: 'Ask for the key of a device',
    description:
      'To be asked every few seconds until a person has decided. The key is made when it is fetched, and answered this once.',
  })
  @ApiBody({
    type: DeviceTokenRequest,
    examples: {
      'After a login began': {
        value: { grant_type: DEVICE_GRANT, device_code: 'q3VgU1o0cJ8mTtB2yXkPzR7n…' },
      },
    },
  })
  @ApiOkResponse({ type: DeviceToken, description: 'The key.' })
  @ApiErrors(
    {
      400: 'There is no key, or none yet: `error` says why.',
      404: 'The service has no pages to sign in at.',
    },
    new AuthorizationPendingError(),
    new SlowDownError(10),
    new AccessDeniedError(),
    new ExpiredTokenError(),
    new InvalidGrantError(),
    new InvalidRequestError('device_code is missing.'),
    new UnsupportedGrantTypeError(),
    new DeviceLoginOffError(),
  )
  fetchDeviceToken(@Body() body: DeviceTokenRequest): Promise<DeviceToken> {
    return this.tokens.fetch(body);
  }
}
