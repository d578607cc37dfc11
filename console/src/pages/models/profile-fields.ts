import { ApiError } from '../../api/api-error';
import type { Values } from '../../parts/form';
import { texts } from '../../text';
import type { Model, ProfileDetail } from './operations';

/** The fields of a model that a form has controls for. */
const MAIN = [
  'model',
  'base_url',
  'provider_connection_id',
  'temperature',
  'max_output_tokens',
  'reasoning_effort',
] as const;

/** Where a form finds what is wrong with the fields that are written as JSON. */
export const OTHERS = 'others';

type Llm = ProfileDetail['llm'];
type Named = Readonly<Record<string, unknown>>;

/** What is set of a model besides what has a control, as a person would write it; empty for nothing. */
export function othersAsText(llm: Llm | undefined): string {
  const others = othersOf(llm);
  return Object.keys(others).length === 0 ? '' : JSON.stringify(others, null, 2);
}

/**
 * What a form says of a model: what was taken out of it is taken away, and a key only where one was typed, or is to go.
 * @param before as it is; absent for a new one
 * @throws ApiError where the other fields are no JSON object
 */
export function modelOf(value: Values, before?: Llm): Model {
  const others = parsed(value(OTHERS));
  const gone = Object.keys(othersOf(before)).filter((name) => !Object.hasOwn(others, name));
  const key = value('api_key');
  return {
    ...Object.fromEntries(gone.map((name) => [name, null])),
    ...others,
    model: value('model'),
    base_url: value('base_url') || null,
    provider_connection_id: value('provider_connection_id') || null,
    temperature: numberOrNull(value('temperature')),
    max_output_tokens: numberOrNull(value('max_output_tokens')),
    reasoning_effort: value('reasoning_effort'),
    ...(key !== '' && { api_key: key }),
    ...(value('takes_key_away') !== '' && { api_key: null }),
  };
}

/** What the service found wrong with fields without a control, each with its name. */
export function problemOfOthers(error: Error | undefined): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const shown: readonly string[] = [...MAIN, 'api_key'];
  const problems = error.fields.flatMap(({ field, message }) => {
    const [, , name = '', ...within] = field.split('.');
    if (field === OTHERS) return [message];
    return name === '' || shown.includes(name) ? [] : [`${[name, ...within].join('.')}: ${message}`];
  });
  return problems.length === 0 ? undefined : problems.join('; ');
}

function othersOf(llm: Llm | undefined): Named {
  const shown: readonly string[] = [...MAIN, 'api_key_set'];
  return Object.fromEntries(Object.entries(llm ?? {}).filter(([name]) => !shown.includes(name)));
}

function parsed(text: string): Named {
  if (text === '') return {};
  const value = parsedOrNull(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw ApiError.ofField(OTHERS, texts.models.noObject);
  return Object.fromEntries(Object.entries(value));
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function numberOrNull(text: string): number | null {
  return text === '' ? null : Number(text);
}
