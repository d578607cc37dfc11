import { ServiceUnavailableError } from '../common';
/** 503: the database lacks migrations. */
export declare class MigrationsPendingError extends ServiceUnavailableError {
    constructor();
}
