export { hasCluster } from './cluster';
export { DataDirInUseError } from './data-dir-lock';
export {
  connectEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  type LauncherLog,
} from './embedded-postgres';
