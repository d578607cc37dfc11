import { isDeepStrictEqual } from 'node:util';
import { type ModelOptions, optionsAfter, withoutSecrets } from './llm-options';
import { keyAfter, originOf } from './model-fields';

/** The address and options of a model. */
export interface ModelAccess {
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  readonly options: ModelOptions;
}

/** The change in a request: absent options and key stay. */
interface GivenAccess {
  /** The address after the request. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null | undefined;
  readonly options: ModelOptions;
}

/**
 * A model after a request. Its key and its other secrets go when calls go to another host, unless they come along: each is
 * only ever sent where it was given for.
 */
export function accessAfter(before: ModelAccess, given: GivenAccess): ModelAccess {
  const { baseUrl } = given;
  const options = optionsAfter(before.options, given.options);
  const stays = isDeepStrictEqual(hostsOf(before), hostsOf({ baseUrl, options }));
  return {
    baseUrl,
    apiKey: keyAfter(given.apiKey, before.apiKey, stays),
    options: stays ? options : optionsAfter(withoutSecrets(before.options), given.options),
  };
}

function hostsOf({ baseUrl, options }: Omit<ModelAccess, 'apiKey'>): (string | null)[] {
  return [baseUrl, options.aws_bedrock_runtime_endpoint, options.ollama_base_url].map(originOf);
}
