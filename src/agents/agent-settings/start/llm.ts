import { accessOf, type ModelOptions, tuningOf } from '../model-settings/llm-options';
import type { LlmOptions } from '../model-settings/llm-options.dto';
import type { ModelAccess } from '../model-settings/model-access';

/** A model, the base URL of its API, the key for it, and what else is set about it. */
export interface Llm extends ModelAccess {
  readonly model: string | null;
}

/** One that is known by its name. */
export type NamedLlm = Llm & { readonly model: string };

export const NO_LLM: Llm = { model: null, baseUrl: null, apiKey: null, options: {} };

/** The provider of models of all others: agents have it before their names, and some send it along. */
export const PROXY = 'litellm_proxy';

/** Of the service: agent servers have connections of their own, and a name for each use of a model. */
const NOT_SENT: ReadonlySet<string> = new Set<keyof LlmOptions>(['provider_connection_id', 'usage_id']);

/**
 * Combines the settings of several scopes: the name comes from the nearest that has one; base URL, key and what else says
 * who calls together from the nearest that has any of them. So a key never goes to a URL that was set elsewhere. What goes
 * with the model comes one by one from the nearest, and from none that is farther than the name.
 * @param places the scopes, the nearest first
 */
export function composeLlm(places: readonly Llm[]): Llm {
  const naming = places.findIndex(({ model }) => model !== null);
  const tuning = (naming < 0 ? places : places.slice(0, naming + 1)).reduceRight<ModelOptions>(
    (farther, { options }) => ({ ...farther, ...tuningOf(options) }),
    {},
  );
  const { baseUrl, apiKey, options } = places.find((place) => reaches(place)) ?? NO_LLM;
  return {
    model: places[naming]?.model ?? null,
    baseUrl,
    apiKey,
    options: { ...tuning, ...accessOf(options) },
  };
}

/** Whether a scope says where a model is, or who calls it. */
export function reaches({ baseUrl, apiKey, options }: Llm): boolean {
  return baseUrl !== null || apiKey !== null || Object.keys(accessOf(options)).length > 0;
}

/**
 * A model as agent servers take it.
 * @param usageId the name that they count its use by
 */
export function agentServerLlm(
  { model, baseUrl, apiKey, options }: NamedLlm,
  usageId: string,
): Record<string, unknown> {
  return {
    ...Object.fromEntries(Object.entries(options).filter(([name]) => !NOT_SENT.has(name))),
    model,
    ...(baseUrl !== null && { base_url: baseUrl }),
    ...(apiKey !== null && { api_key: apiKey }),
    usage_id: usageId,
  };
}

/** The provider in a model's name: the part before the first slash; null without one. */
export function providerOf(model: string): string | null {
  const slash = model.indexOf('/');
  return slash > 0 ? model.slice(0, slash) : null;
}

/** An address without its user, password and query, which may be secret. */
export function shownAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return (origin + pathname).replace(/\/+$/, '');
}
