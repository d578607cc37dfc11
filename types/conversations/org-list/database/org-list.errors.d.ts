import { AppError } from '../../../common';
/**
 * 500: the list, the record, the statistics or the export could not be read
 * (docs/contract.md#organization-list).
 */
export declare class ConversationsUnavailableError extends AppError {
    constructor(cause: unknown);
}
