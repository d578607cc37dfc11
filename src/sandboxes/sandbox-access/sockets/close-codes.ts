import type { AppError } from '../../../kernel/common';
import { ServiceStoppingError } from '../../../kernel/http';

/** By HTTP status; the codes of agent servers where they have one for the same case (docs/sandboxes.md#the-door). */
const CODES: Readonly<Record<number, number>> = {
  400: 4000,
  401: 4001,
  403: 4003,
  404: 4004,
  409: 4009,
  429: 4029,
};

const INTERNAL_ERROR = 1011;
const SERVICE_RESTART = 1012;
const TRY_AGAIN_LATER = 1013;

/** The agent server disconnected without a reason. */
export const AGENT_SERVER_GONE = { code: 1014, reason: 'The agent server ended the connection.' } as const;

/** The close code and reason of a WebSocket. */
export interface CloseReason {
  readonly code: number;
  readonly reason: string;
}

/** The close code for an error on a WebSocket that is open already. */
export function closeReasonOf(error: AppError): CloseReason {
  if (error instanceof ServiceStoppingError) return { code: SERVICE_RESTART, reason: error.message };
  const code = CODES[error.status] ?? (error.status === 503 ? TRY_AGAIN_LATER : INTERNAL_ERROR);
  return { code, reason: error.message };
}
