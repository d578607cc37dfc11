import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth';
import { Metrics } from '../http';
import { type Health, HealthService, type ServerInfo } from './health.service';

@ApiTags('Operations')
@Public()
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly metrics: Metrics,
  ) {}

  @Get('alive')
  @ApiOperation({ summary: 'Tells that the process runs' })
  @ApiOkResponse({ description: 'The process runs.' })
  alive(): { status: string } {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({ summary: 'Tells whether requests can be answered: database and migrations' })
  @ApiOkResponse({ description: 'Requests can be answered; 503 otherwise.' })
  ready(): Promise<Health> {
    return this.health.ready();
  }

  @Get('health')
  @ApiOperation({ summary: 'As ready, for those who look for this name' })
  @ApiOkResponse({ description: 'Requests can be answered; 503 otherwise.' })
  healthy(): Promise<Health> {
    return this.health.ready();
  }

  @Get('server_info')
  @ApiOperation({ summary: 'Name and version of the service' })
  @ApiOkResponse({ description: 'Name and version.' })
  serverInfo(): ServerInfo {
    return this.health.serverInfo();
  }

  @Get('metrics')
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiOperation({ summary: 'Figures for Prometheus' })
  @ApiOkResponse({ description: 'Figures in the text format.' })
  figures(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
