import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../../kernel/auth';
import { ApiErrors, FailedCredentials } from '../../../kernel/http';
import { TooManyFailedCredentialsError } from '../../../kernel/request-limits';
import { Field, string } from '../../../kernel/validation';
import { KeyReports } from './key-reports';

/** Body of `POST /api/keys/report`. */
export class ApiKeyReport {
  @Field(string({ maxLength: 1_000 }), {
    description: 'The key that was found.',
    example: 'ocs_4mTqGv0Xn3bPzYcLw8RdKs1HfJe6UaQi2M9pZx',
  })
  key!: string;
}

/** Response of `POST /api/keys/report`. */
export class ApiKeyReported {
  @Field(string(), {
    description: 'One sentence for people, whatever was reported.',
    example: 'Thank you. If this was a key, it does not work any more, and whose it was is told.',
  })
  message!: string;
}

@ApiTags('Keys')
@Controller('api/keys/report')
export class KeyReportsController {
  constructor(
    private readonly reports: KeyReports,
    private readonly failed: FailedCredentials,
  ) {}

  @Post()
  @Public()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Report a key that you found',
    description:
      'Revokes it and tells its user, without a credential: for whoever finds a key where it should not be. The answer does not say whether it was one.',
  })
  @ApiOkResponse({ type: ApiKeyReported, description: 'If it was a key, it is revoked.' })
  @ApiErrors(
    { 429: 'Too many reports, or failed keys, of the address in a minute.' },
    new TooManyFailedCredentialsError({ limit: 30, remaining: 0, isExceeded: true, resetSeconds: 12 }),
  )
  @ApiBody({
    type: ApiKeyReport,
    examples: {
      'A key in a public repository': { value: { key: 'ocs_4mTqGv0Xn3bPzYcLw8RdKs1HfJe6UaQi2M9pZx' } },
    },
  })
  async reportApiKey(@Req() request: Request, @Body() body: ApiKeyReport): Promise<ApiKeyReported> {
    this.failed.count(request);
    await this.reports.report(body.key);
    return { message: 'Thank you. If this was a key, it does not work any more, and whose it was is told.' };
  }
}
