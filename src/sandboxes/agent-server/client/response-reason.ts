import { z } from 'zod';
import { finiteJson } from '../../../kernel/validation';
import { RESPONSE_TOO_LARGE } from './exchange/http-exchange';
import { errorBodySchema, listOf } from './protocol';

const MAX_REASON = 500;
/** A text with more is not looked into for a reason. */
const MAX_TEXT = 1024 * 1024;
const MAX_FAULTS = 1_000;
const MAX_STEPS = 100;

const faults = listOf(
  z.object({ loc: listOf(z.union([z.string(), z.number()]), MAX_STEPS), msg: z.string() }),
  MAX_FAULTS,
).refine((found) => found.length > 0);

/**
 * Why an agent server said no, as one short text. Validation faults give place and message only, because
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
  const list = faults.safeParse(detail);
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
