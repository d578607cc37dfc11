import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Controller, Get, Header, Inject, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, UnauthenticatedError } from '../auth';
import { digestOf, VERSION } from '../common';
import { SETTINGS, type Settings } from '../config';
import { ApiErrors, DatabaseUnavailableError, Metrics, ServiceStoppingError } from '../http';
import { LimitedAs } from '../request-limits';
import { HealthCheckFailedError } from './health-checks';
import { type Health, HealthService, MigrationsPendingError, type ServerInfo } from './health.service';

const OK = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: ['ok'], description: 'That it is so.' } },
};

const SERVER_INFO = {
  type: 'object',
  required: ['title', 'version', 'uptime'],
  properties: {
    title: {
      type: 'string',
      description: 'Name of the service.',
      example: 'Organization Conversation Service',
    },
    version: { type: 'string', description: 'Version of the service.', example: VERSION },
    uptime: { type: 'integer', description: 'Seconds since the start.', example: 3600 },
    extensions: {
      type: 'array',
      description: 'What extends the service; left out where nothing does.',
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', description: 'Name of the extension.', example: 'acme' },
          version: { type: 'string', description: 'Its version, where it has one.', example: '1.0.0' },
        },
      },
      example: [{ name: 'acme', version: '1.0.0' }],
    },
  },
};

const NOT_READY = {
  503: 'The database cannot be reached, is read-only or has a full disk (`database_unavailable`), it lacks migrations (`migrations_pending`), a health check of an extension fails (`health_check_failed`), or the service is about to stop (`service_stopping`).',
};

@ApiTags('Operations')
@Public()
@LimitedAs('probes')
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('alive')
  @LimitedAs(null)
  @ApiOperation({
    summary: 'Does the process run?',
    description: 'For liveness probes: asks neither the database nor anything else.',
  })
  @ApiOkResponse({ description: 'The process runs.', schema: OK })
  checkAlive(): { status: string } {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    summary: 'Can requests be answered?',
    description: 'For readiness probes: the database accepts a write, and its schema is up to date.',
  })
  @ApiOkResponse({ description: 'Requests can be answered.', schema: OK })
  @ApiErrors(
    NOT_READY,
    new DatabaseUnavailableError(),
    new MigrationsPendingError(),
    new HealthCheckFailedError('acme.ledger'),
    new ServiceStoppingError(),
  )
  checkReady(): Promise<Health> {
    return this.health.ready();
  }

  @Get('health')
  @ApiOperation({
    summary: 'Is the service healthy?',
    description: 'The same as `/ready`, for those who look for this name.',
  })
  @ApiOkResponse({ description: 'Requests can be answered.', schema: OK })
  @ApiErrors(
    NOT_READY,
    new DatabaseUnavailableError(),
    new MigrationsPendingError(),
    new HealthCheckFailedError('acme.ledger'),
    new ServiceStoppingError(),
  )
  checkHealth(): Promise<Health> {
    return this.health.ready();
  }

  @Get('server_info')
  @LimitedAs(null)
  @ApiOperation({
    summary: 'Name and version of the service',
    description: 'And for how long it has run.',
  })
  @ApiOkResponse({ description: 'Name and version.', schema: SERVER_INFO })
  getServerInfo(): ServerInfo {
    return this.health.serverInfo();
  }

  @Get('metrics')
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiOperation({
    summary: 'Metrics for Prometheus',
    description:
      'Requests, jobs and the process itself, for callers with `METRICS_TOKEN` as `Authorization: Bearer` where it is set.',
  })
  @ApiOkResponse({
    description: 'Metrics in the text format.',
    content: {
      'text/plain': { schema: { type: 'string' }, example: 'process_resident_memory_bytes 120000000' },
    },
  })
  @ApiErrors(
    { 401: '`METRICS_TOKEN` is set, and the request does not carry it.' },
    new UnauthenticatedError('Authorization'),
  )
  getMetrics(@Req() { headers }: IncomingMessage): Promise<string> {
    const { METRICS_TOKEN } = this.settings;
    if (METRICS_TOKEN !== undefined && !isBearer(headers.authorization, METRICS_TOKEN))
      throw new UnauthenticatedError('Authorization');
    return this.metrics.text();
  }
}

/** Whether a header carries a token; the time it takes does not reveal how close it was. */
function isBearer(header: string | undefined, token: string): boolean {
  const given = /^bearer +(.*)$/i.exec(header ?? '')?.[1]?.trim() ?? '';
  return timingSafeEqual(Buffer.from(digestOf(given)), Buffer.from(digestOf(token)));
}
