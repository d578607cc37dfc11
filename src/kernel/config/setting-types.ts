import { z } from 'zod';

/** A positive whole number. */
export const positive = (fallback: number) =>
  z.coerce.number('must be a number').int().positive().default(fallback);
/** More would not fit into a timer of Node.js, which then ends at once: 24 days. */
const MAX_TIMER_SECONDS = 2_147_483;

/** A time in whole seconds that a timer measures. */
export const seconds = (fallback: number) =>
  z.coerce.number('must be a number').int().positive().max(MAX_TIMER_SECONDS).default(fallback);
/** A limit of requests in a minute; 0 for none. */
export const perMinute = (fallback: number) =>
  z.coerce.number('must be a number').int().nonnegative().default(fallback);
export const optionalText = z.string().min(1).optional();

/** A secret that guesses must not hit. @param advice follows the sentence about one that is too weak */
export function hardToGuess(advice = '') {
  return optionalText.refine(
    isHardToGuess,
    `must have at least 32 characters, ten of them distinct${advice}`,
  );
}

export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** One of these words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);
}

/** A setting with JSON, checked against a schema. */
export function json<Schema extends z.ZodType>(schema: Schema, fallback: string) {
  return z
    .string()
    .default(fallback)
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'is not valid JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** A list, separated by commas. */
export const commaList = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

function isHardToGuess(secret: string | undefined): boolean {
  return secret === undefined || (secret.length >= 32 && new Set(secret).size >= 10);
}
