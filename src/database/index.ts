export { ADVISORY_LOCKS } from './advisory-locks';
export { checkVersion, withConnection } from './connection-check';
export { isDatabaseUnavailable, isOutOfRange, isUniqueViolation, mayHaveCommitted } from './database-errors';
export { DatabaseModule } from './database.module';
export {
  createDataSource,
  createMaintenanceDataSource,
  databaseUrl,
  dataSourceOptions,
  STATEMENT_TIMEOUT_MS,
} from './data-source';
export { DedicatedPool } from './dedicated-pool';
export { columnsOf } from './entity-columns';
export { migrate } from './migrate';
export { ping } from './ping';
export { PreparedStatement } from './prepared-statement';
export {
  connectEmbeddedPostgres,
  DataDirInUseError,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './embedded';
export { redactDatabaseError } from './redact-error';
export { checkSecretKey } from './secret-check';
export { type ColumnsOf, execute, queryRow, queryRows, type SqlRunner } from './sql';
export { Statement } from './statement';
export { lockForTransaction } from './transaction-locks';
