import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { DeclaredAccess } from './request/declared-access';
import { ErrorFilter } from './errors/error.filter';
import { Metrics } from './observability/metrics';
import { RequestGuard } from './request/request-guard';

/** The way of a request: who, body, organization, validation; and the way of every error. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    DeclaredAccess,
    Metrics,
    { provide: APP_GUARD, useClass: RequestGuard },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
  exports: [Metrics],
})
export class HttpModule {}
