import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { DeclaredAccess } from './request/declared-access';
import { ErrorFilter } from './errors/error.filter';
import { LargeAnswers } from './large-answers/large-answers';
import { Metrics } from './observability/metrics';
import { AuthenticationGuard } from './request/authentication.guard';
import { FailedCredentials } from './request/failed-credentials';
import { OrganizationGuard } from './request/organization.guard';
import { RequestLimitGuard } from './request/request-limit.guard';
import { RequestValidation } from './request/request-validation';
import { RequestValidationGuard } from './request/request-validation.guard';
import { RouteDeclarations } from './request/route-declarations';

/** What every request passes through: authentication, limits, organization, validation; and how errors are answered. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    DeclaredAccess,
    FailedCredentials,
    LargeAnswers,
    Metrics,
    RouteDeclarations,
    RequestValidation,
    // Nest runs guards in the order in which they are listed here.
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useClass: RequestLimitGuard },
    { provide: APP_GUARD, useClass: OrganizationGuard },
    { provide: APP_GUARD, useClass: RequestValidationGuard },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
  exports: [LargeAnswers, Metrics],
})
export class HttpModule {}
