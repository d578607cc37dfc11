import type { ConsolePagesByName } from '../../appliance/console';
import type { ModuleMetadata } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import type { z } from 'zod';
import type { LowestRoles } from '../../kernel/auth';
import { isRecord } from '../../kernel/common';
import type { HealthChecksByName } from '../../kernel/health';
import type { EntityClass } from '../../kernel/database';
import type { CommandsByName } from './commands';
import type { EventSchemas } from '../../kernel/domain-events';

/** What `imports` of a Nest module takes. */
export type ExtensionModule = NonNullable<ModuleMetadata['imports']>[number];

/** Extensions as a program is given them: declared, or a module by itself. */
export type Given = readonly (Extension | ExtensionModule)[];

/** What somebody adds to the service from outside (docs/extending.md). */
export interface Extension {
  /** Small letters, digits and `_`. Its permissions begin with it, and its table of migrations is `NAME_migrations`. */
  readonly name: string;
  /** For the log and `doctor`; without it, that of the package of the file that `EXTENSIONS` names. */
  readonly version?: string;
  /** Nest modules with its routes, listeners and jobs, and what registers its drivers, transports, verifiers and policies. */
  readonly modules?: readonly ExtensionModule[];
  /** Its permissions, such as `acme:manage_notes`, each with the lowest role that has it. */
  readonly permissions?: LowestRoles;
  /** Its TypeORM entities. */
  readonly entities?: readonly EntityClass[];
  /** Its TypeORM migrations; they run after those of the service. */
  readonly migrations?: readonly (new () => MigrationInterface)[];
  /** Names of the sandbox drivers that its modules register, for `SANDBOX_DRIVER`. */
  readonly sandboxDrivers?: readonly string[];
  /**
   * Schemas of the fields of its events, by kinds such as `acme.budget_spent`: its name, a dot, small letters, digits and `_`. What
   * is published with `ExtensionEvents` has these fields, beside `kind` and `org_id`.
   */
  readonly events?: EventSchemas;
  /** Providers that `/ready` asks, by names such as `acme.ledger`. */
  readonly healthChecks?: HealthChecksByName;
  /** Its pages of the console, by names such as `acme.budgets`. */
  readonly consolePages?: ConsolePagesByName;
  /** Its commands of the command line, by names such as `acme:report`. */
  readonly commands?: CommandsByName;
  /**
   * Its settings, by their names in the environment: its own name in capitals, such as `ACME_URL`. They are read and checked with
   * those of the service; `@Inject(settingsOf('acme'))` has them.
   */
  readonly settings?: z.ZodObject;
}

/** Injection token of the settings of an extension. @param name of the extension */
export function settingsOf(name: string): symbol {
  return Symbol.for(`org-conversation-service:settings:${name}`);
}

/** Declares an extension; the default export of a file that `EXTENSIONS` names. */
export function defineExtension(extension: Extension): Extension {
  return extension;
}

/** The class of a module as `imports` takes it. */
export function classOf(module: unknown): unknown {
  if (!isRecord(module)) return module;
  if ('module' in module) return module.module;
  return 'forwardRef' in module && typeof module.forwardRef === 'function'
    ? (module.forwardRef as () => unknown)()
    : module;
}
