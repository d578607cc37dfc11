import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { DeclaredAccess } from './guards/declared-access';
import { DeclaredRoutes } from './guards/declared-routes';
import { API_TAGS, DeclaredWebhooks } from './document/openapi';
import { ForwardedOperations } from './document/forwarded-operations';
import { ErrorFilter } from './errors/error.filter';
import { LargeResponses } from './body/large-responses';
import { AnsweredRequests } from './observability/answered-requests';
import { Metrics } from './observability/metrics';
import { ServiceLog } from './observability/service-log';
import { CONSOLE } from './pages/page-layout';
import { AuthenticationGuard } from './guards/authentication.guard';
import { FailedCredentials } from './guards/failed-credentials';
import { OrganizationGuard } from './guards/organization.guard';
import { RequestLimitGuard } from './guards/request-limit.guard';
import { RequestValidation } from './guards/request-validation';
import { RequestValidationGuard } from './guards/request-validation.guard';
import { RouteDeclarations } from './guards/route-declarations';

/** What every request passes through: authentication, limits, organization, validation; and how errors are answered. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    AnsweredRequests,
    DeclaredAccess,
    DeclaredRoutes,
    FailedCredentials,
    DeclaredWebhooks,
    ForwardedOperations,
    LargeResponses,
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
  exports: [
    AnsweredRequests,
    DeclaredRoutes,
    DeclaredWebhooks,
    FailedCredentials,
    ForwardedOperations,
    LargeResponses,
    Metrics,
  ],
})
export class HttpModule {
  /**
   * @param tags what the OpenAPI document says of the groups of operations, in the order they are shown
   * @param consoleAddress of the console, as browsers have it; null without one
   */
  static forRoot(
    tags: Readonly<Record<string, string>>,
    log: ServiceLog,
    consoleAddress: string | null,
  ): DynamicModule {
    const providers = [
      { provide: API_TAGS, useValue: tags },
      { provide: ServiceLog, useValue: log },
      { provide: CONSOLE, useValue: consoleAddress },
    ];
    return { module: HttpModule, providers, exports: [CONSOLE] };
  }
}
