import { z } from 'zod';
import { MEBIBYTE } from '../common';
import { commaList, json, oneOf, positive, seconds } from './setting-types';

/** Longest pattern of a model's name: as long as a name. */
export const MAX_MODEL_PATTERN = 255;

const dollars = z.number('must be a number').nonnegative();
const pattern = z.string().min(1).max(MAX_MODEL_PATTERN);

const price = z.strictObject({
  input: dollars,
  output: dollars,
  cache_read: dollars.optional(),
  cache_write: dollars.optional(),
});

const RATES = /^(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)$/;

/** What models may be used, what they cost, and the gateway that agents reach them through (docs/model-gateway.md). */
export const modelGatewaySettings = {
  MODEL_GATEWAY: oneOf(['on', 'off'])
    .default('off')
    .describe(
      'Whether agents reach models [through the service](model-gateway.md), so that no sandbox gets a key of a provider.',
    ),
  LLM_ALLOWED_MODELS: commaList
    .refine(
      (patterns) => patterns.every((each) => each.length <= MAX_MODEL_PATTERN),
      `must be patterns of at most ${MAX_MODEL_PATTERN} characters`,
    )
    .describe(
      'Patterns of the models, comma-separated, that [organizations without a policy of their own](model-policy.md) may use, such as `openai/gpt-5*,anthropic/*`. Without it every model.',
    ),
  MODEL_PRICES: json(z.record(pattern, price), '{}').describe(
    '[Prices of models](model-policy.md#prices) in dollars per million tokens, before those that come with the service: a JSON object, pattern → `{input, output, cache_read?, cache_write?}`.',
  ),
  MODEL_PRICE_UNKNOWN: z
    .string()
    .default('refuse')
    .refine(
      (text) => text === 'refuse' || RATES.test(text),
      'must be refuse, or two prices such as 15,75: of input and output, in dollars per million tokens',
    )
    .transform((text) => {
      const [, input, output] = RATES.exec(text) ?? [];
      return input === undefined ? null : { input: Number(input), output: Number(output) };
    })
    .describe(
      'What the gateway does with models whose price is not known: `refuse`, or counts them by two prices such as `15,75`, of input and output in dollars per million tokens, the highest that there may be.',
    ),
  MODEL_GATEWAY_CALLS_PER_KEY: positive(64).describe(
    'Calls that each replica makes at a time with one key of a provider.',
  ),
  MODEL_GATEWAY_IDLE_SECONDS: seconds(300).describe(
    'Time after which a call ends in which the provider sends nothing.',
  ),
  MODEL_GATEWAY_BODY_BYTES: positive(16 * MEBIBYTE).describe('Largest body of a call to a model, in bytes.'),
};
