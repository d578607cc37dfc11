import { AppError } from '../../../../kernel/common';

/**
 * 500: the list, the record, the statistics or the export could not be read
 * (docs/contract.md#organization-list).
 */
export class ConversationsUnavailableError extends AppError {
  constructor(cause: unknown) {
    super(
      500,
      'conversations_unavailable',
      isTimeOut(cause)
        ? 'Reading the conversations took too long: narrow the request by a longer search text, a shorter time_window or an execution_status.'
        : 'The conversations could not be read.',
      {},
      { cause },
    );
  }
}

const QUERY_CANCELED = '57014';

function isTimeOut(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === QUERY_CANCELED;
}
