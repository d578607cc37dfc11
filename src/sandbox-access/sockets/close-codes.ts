import type { AppError } from '../../common';
import { ServiceStoppingError } from '../sandbox-access.errors';

/** By status; those of agent servers where they have one for the same (docs/sandboxes.md#the-door). */
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

/** The agent server has gone, without saying why. */
export const AGENT_SERVER_GONE = { code: 1014, reason: 'The agent server ended the connection.' } as const;

/** How a WebSocket is closed. */
export interface CloseReason {
  readonly code: number;
  readonly reason: string;
}

/** How an error is told on a WebSocket that is open already. */
export function closeReasonOf(error: AppError): CloseReason {
  if (error instanceof ServiceStoppingError) return { code: SERVICE_RESTART, reason: error.message };
  const code = CODES[error.status] ?? (error.status === 503 ? TRY_AGAIN_LATER : INTERNAL_ERROR);
  return { code, reason: error.message };
}
