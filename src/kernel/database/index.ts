export { ADVISORY_LOCKS } from './schema/advisory-locks';
export { type AddressSetting, checkVersion, withConnection } from './connection/connection-check';
export { type DatabaseReport, receivesNotifications, reportOn } from './connection/database-report';
export {
  isDatabaseReadOnly,
  isDatabaseUnavailable,
  isRolledBack,
  isOutOfRange,
  isUserGone,
  isOrganizationGone,
  isReferenceGone,
  isUniqueViolation,
  mayHaveCommitted,
  unavailableDetail,
} from './connection/database-errors';
export { DatabaseModule } from './database.module';
export {
  createDataSource,
  createMaintenanceDataSource,
  dataSourceOptions,
  type EntityClass,
  MIGRATIONS_TABLE,
  sessionUrl,
  SnakeCaseNaming,
  STATEMENT_TIMEOUT_MS,
} from './connection/data-source';
export { DedicatedPool } from './sessions/dedicated-pool';
export { type NotificationListener, Notifications } from './sessions/notifications';
export { openPool, openPools } from './connection/open-pool';
export { type CopiedTable, type SequenceState } from './copies/contents';
export { analyze, type DatabaseLoad, missingTables, type TableLoad, withLoad } from './copies/copy-in';
export { type DatabaseSnapshot, withSnapshot } from './copies/copy-out';
export { beginRestore, refuseUnfinishedRestore, unfinishedRestore } from './copies/unfinished-restore';
export { checkPooler, type DatabaseAddresses, settingOf } from './sessions/pooler-check';
export { columnsOf } from './sql/entity-columns';
export {
  extensionsWithMigrations,
  migrateExtension,
  pendingOfExtension,
  undoExtension,
} from './schema/migrate-extension';
export { knownMigrations, migrate, nameOf as migrationName, pendingMigrations } from './schema/migrate';
export { CallsTogether } from './sql/calls-together';
export { groupedRows } from './sql/grouped-rows';
export { ownedBy } from './sql/owned-by';
export { PreparedStatement } from './sql/prepared-statement';
export { redactDatabaseError } from './connection/redact-error';
export { countSealed, resealColumn, type SealedColumn } from './sql/sealed-column';
export {
  checkOwner,
  grantToService,
  mayChangeAuditLog,
  mayUseSchema,
  ownsSchema,
  placeOf,
} from './schema/service-role';
export { checkSecretKey, hasSecrets, isKeyOfSecrets } from './schema/secret-check';
export { replaceIdleConnections } from './connection/read-only-connections';
export { type ColumnsOf, execute, queryRow, queryRows, type SqlRunner } from './sql/sql';
export { Statement } from './sql/statement';
export { hasPart, hasPartIndexed } from './sql/text-search';
export { MaxBytes, MaxCharacters, MaxJsonBytes, OneOf } from './schema/limit-checks';
export { lockForTransaction } from './sql/transaction-locks';
export { proveWrite } from './sql/write-check';
