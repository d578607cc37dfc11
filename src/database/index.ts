export { ADVISORY_LOCKS } from './advisory-locks';
export { checkVersion, withConnection } from './connection-check';
export {
  isDatabaseReadOnly,
  isDatabaseUnavailable,
  isOutOfRange,
  isUniqueViolation,
  mayHaveCommitted,
  unavailableDetail,
} from './database-errors';
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
export { PreparedStatement } from './prepared-statement';
export {
  connectEmbeddedPostgres,
  DataDirInUseError,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './embedded';
export { redactDatabaseError } from './redact-error';
export { countSealed, resealColumn, type SealedColumn } from './sealed-column';
export { checkSecretKey } from './secret-check';
export { replaceIdleConnections } from './read-only-connections';
export { type ColumnsOf, execute, queryRow, queryRows, type SqlRunner } from './sql';
export { Statement } from './statement';
export { MaxBytes, MaxCharacters, MaxJsonBytes, OneOf } from './limit-checks';
export { lockForTransaction } from './transaction-locks';
export { proveWrite } from './write-check';
