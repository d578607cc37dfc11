import { type ExchangeResponse, type ExchangeError, RESPONSE_TOO_LARGE } from './exchange/http-exchange';
import { z } from 'zod';
import { finiteJson } from '../../../kernel/validation';
import { errorBodySchema, listOf } from './protocol';

const MAX_REASON = 500;
/** A longer text is not searched for a reason. */
const MAX_TEXT = 1024 * 1024;
const MAX_ISSUES = 1_000;
const MAX_STEPS = 100;

const issues = listOf(
  z.object({ loc: listOf(z.union([z.string(), z.number()]), MAX_STEPS), msg: z.string() }),
  MAX_ISSUES,
).refine((found) => found.length > 0);

/**
 * Why an agent server refused, as one short text. Validation errors give place and message only, because
 * their `input` repeats what was sent; the session key never appears.
 */
export function responseReason(text: string, apiKey: string): string {
  const reason = readReason(text);
  const masked = apiKey === '' ? reason : reason.replaceAll(apiKey, '**********');
  return masked.length > MAX_REASON ? `${masked.slice(0, MAX_REASON)}…` : masked;
}

function readReason(text: string): string {
  if (text.length > MAX_TEXT) return RESPONSE_TOO_LARGE;
  const body = errorBodySchema.safeParse(parseJson(text));
  if (!body.success) return text;
  const { detail, exception } = body.data;
  if (exception !== undefined) return exception;
  if (typeof detail === 'string') return detail;
  const list = issues.safeParse(detail);
  if (list.success) return list.data.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  return JSON.stringify(detail ?? null);
}

/** Numbers that are not finite are read as `null`. @returns undefined when the text is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const finite = finiteJson(text);
    return finite === text ? undefined : parseJson(finite);
  }
}

/**
 * The outcome of sending a message to an agent server.
 *
 * - `delivered`: answered 2xx, the message is in the conversation's log.
 * - `stored`: answered 429, and that the message is in the log although the agent server runs as many agents as it
 *   may: the agent has to be asked to run later, and the message must not be sent again.
 * - `not_found`: answered 404, the server has no such conversation; nothing was stored.
 * - `conflict`: answered 409; nothing was stored.
 * - `refused`: any other 3xx or 4xx, or a 500 that is known to come before storing; nothing was stored. 400,
 *   413, 422 and 500 will not change by repeating.
 * - `unavailable`: never sent (refused connection, unknown host, no connection in time): sending again is safe.
 * - `unknown`: sent, and no clear response came (time-out, reset, abort, 5xx): it may have been stored, and may
 *   still be accepted shortly, so it must be looked up before it is sent again
 *   (docs/decisions/0006-settling-time-after-an-unknown-outcome.md).
 */
export type SendOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'stored'; readonly reason: string }
  | { readonly kind: 'not_found'; readonly reason: string }
  | { readonly kind: 'conflict'; readonly reason: string }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly status: number | null; readonly reason: string };

const DELIVERED: SendOutcome = { kind: 'delivered' };

/** Classifies a response to a message. */
export function outcomeOfResponse({ status, text }: ExchangeResponse, apiKey: string): SendOutcome {
  if (status >= 200 && status < 300) return DELIVERED;
  const reason = responseReason(text, apiKey);
  if (status === 404) return { kind: 'not_found', reason };
  if (status === 429 && reason.includes('Message saved')) return { kind: 'stored', reason };
  if (status === 409) return { kind: 'conflict', reason };
  if ((status >= 300 && status < 500) || isRefusal(reason)) return { kind: 'refused', status, reason };
  return { kind: 'unknown', status, reason };
}

/**
 * Errors that the agent server answers with a 500 before it stores a message, each time again: a plugin of
 * the conversation that cannot be fetched, a role that it does not take.
 */
function isRefusal(reason: string): boolean {
  return reason.includes('Failed to fetch plugin') || reason.includes('Only user messages are allowed');
}

/** Classifies the lack of a response to a message. */
export function outcomeOfFailure(error: ExchangeError): SendOutcome {
  return error.sent
    ? { kind: 'unknown', status: null, reason: error.reason }
    : { kind: 'unavailable', reason: error.reason };
}
