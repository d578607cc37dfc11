import { z } from 'zod';
import { finiteJson } from '../../validation';
import { errorBodySchema } from './protocol';

const MAX_REASON = 500;

const faults = z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })).min(1);

/**
 * Why an agent server said no, as one short text. Validation faults give place and message only, because
 * their `input` repeats what was sent; the session key never appears.
 */
export function answerReason(text: string, apiKey: string): string {
  const reason = readReason(text);
  const masked = apiKey === '' ? reason : reason.replaceAll(apiKey, '**********');
  return masked.length > MAX_REASON ? `${masked.slice(0, MAX_REASON)}…` : masked;
}

function readReason(text: string): string {
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
