import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AnsweredCalls } from './calls/answered-calls';
import { AuditedOperations } from './calls/audited-operations';
import { AuditTrail, NoAuditTrail } from './audit-trail';
import { AuditWriter } from './writing/audit-writer';
import { CallOpening } from './calls/call-opening.guard';
import { CallSubscriber } from './calls/call-subscriber';
import { CommandSubscriber } from './command-subscriber';
import { PendingRows } from './writing/pending-rows';

/** Rows of the audit log until they are logged, of requests and of whatever else changes something (docs/audit-log.md). */
@Module({})
export class AuditModule {
  /**
   * @param adapters modules that export what knows whose credentials are, and providers that bind the port to it
   * Imported behind `HttpModule`: a call is opened when its guards have let it through.
   */
  static forRoot(adapters: Required<Pick<ModuleMetadata, 'imports' | 'providers'>>): DynamicModule {
    return {
      module: AuditModule,
      global: true,
      imports: adapters.imports,
      providers: [
        ...adapters.providers,
        AnsweredCalls,
        AuditedOperations,
        AuditTrail,
        AuditWriter,
        CallSubscriber,
        CommandSubscriber,
        PendingRows,
        { provide: APP_GUARD, useClass: CallOpening },
      ],
      exports: [AuditTrail],
    };
  }

  /** Where no audit log is kept: nothing is written, and nothing looks at requests. */
  static off(): DynamicModule {
    const trail = { provide: AuditTrail, useClass: NoAuditTrail };
    return { module: AuditModule, global: true, providers: [trail], exports: [AuditTrail] };
  }
}
