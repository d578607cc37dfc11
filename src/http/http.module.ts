import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { DeclaredAccess } from './declared-access';
import { ErrorFilter } from './error.filter';
import { Metrics } from './metrics';
import { RequestGuard } from './request-guard';

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
