import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Access } from '../../../kernel/auth';
import { LimitedAs } from '../../../kernel/request-limits';

/** The interface reports sign-ins here. Nothing of it is read or stored. */
@ApiExcludeController()
@Access({ scope: 'any' })
@Controller('api/analytics')
export class AnalyticsController {
  @Post('events')
  @HttpCode(204)
  @LimitedAs('reads')
  dropEvent(): void {
    return;
  }
}
