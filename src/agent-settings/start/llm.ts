/** A model, the base URL of its API and the key for it. */
export interface Llm {
  readonly model: string | null;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
}

export const NO_LLM: Llm = { model: null, baseUrl: null, apiKey: null };

/**
 * Combines the settings of several scopes: the name comes from the nearest that has one, base URL and key together from
 * the nearest that has either. So a key never goes to a URL that was set elsewhere.
 * @param places the scopes, the nearest first
 */
export function composeLlm(places: readonly Llm[]): Llm {
  const { model } = places.find((place) => place.model !== null) ?? NO_LLM;
  const { baseUrl, apiKey } = places.find((place) => reaches(place)) ?? NO_LLM;
  return { model, baseUrl, apiKey };
}

function reaches({ baseUrl, apiKey }: Llm): boolean {
  return baseUrl !== null || apiKey !== null;
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
