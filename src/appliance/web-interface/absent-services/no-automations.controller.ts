import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Access } from '../../../kernel/auth';
import { LimitedAs } from '../../../kernel/request-limits';

/**
 * What the web interface asks on each page about automations, where there is no service for them. An answer that says so
 * keeps failed requests out of every page.
 */
@ApiExcludeController()
@Access({ scope: 'any' })
@Controller('api/automation')
export class NoAutomationsController {
  @Get('health')
  @LimitedAs('reads')
  getHealth(): { status: string } {
    return { status: 'unavailable' };
  }

  @Get('sdk-version')
  @LimitedAs('reads')
  getSdkVersion(): { sdk_version: null } {
    return { sdk_version: null };
  }
}
