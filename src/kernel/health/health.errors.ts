import { ServiceUnavailableError } from '../common';

/** 503: the database lacks migrations. */
export class MigrationsPendingError extends ServiceUnavailableError {
  constructor() {
    super('The database lacks migrations.', 'migrations_pending');
  }
}
