import { AppError } from '../../common';
import type { PageResponse } from './page-response';

/** Why a form was refused, and how the page that says so is sent. */
export interface Refusal extends Required<Pick<PageResponse, 'status' | 'headers'>> {
  readonly message: string;
  /** Whether what was entered, to prove who somebody is, does not work. */
  readonly isWrong: boolean;
}

/**
 * What a page says of an error. What was entered wrongly is no 401 there, which would say that the page can be had with a
 * credential in a header.
 * @throws what is no fault of the browser's
 */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  const { status, headers, message } = error;
  return status === 401
    ? { status: 403, headers: {}, message, isWrong: true }
    : { status, headers, message, isWrong: false };
}
