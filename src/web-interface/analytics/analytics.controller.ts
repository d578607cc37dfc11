import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Access } from '../../auth';
import { LimitedAs } from '../../request-limits';

/** Where the web interface reports that somebody signed in. Nothing of it is read or kept. */
@ApiExcludeController()
@Access()
@Controller('api/analytics')
export class AnalyticsController {
  @Post('events')
  @HttpCode(204)
  @LimitedAs('reads')
  dropEvent(): void {
    return;
  }
}
