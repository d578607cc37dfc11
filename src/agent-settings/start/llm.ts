/** A model, the address of its API and the key for that. */
export interface Llm {
  readonly model: string | null;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
}

export const NO_LLM: Llm = { model: null, baseUrl: null, apiKey: null };

/**
 * Puts a model together from what is set at several places: the name from the nearest that has one, address and key
 * together from the nearest that has either. A key never goes to an address that was set elsewhere.
 * @param places the nearest first
 */
export function composeLlm(places: readonly Llm[]): Llm {
  const { model } = places.find((place) => place.model !== null) ?? NO_LLM;
  const { baseUrl, apiKey } = places.find((place) => reaches(place)) ?? NO_LLM;
  return { model, baseUrl, apiKey };
}

function reaches({ baseUrl, apiKey }: Llm): boolean {
  return baseUrl !== null || apiKey !== null;
}

/** The provider in the name of a model: what stands before its first slash; null without one. */
export function providerOf(model: string): string | null {
  const slash = model.indexOf('/');
  return slash > 0 ? model.slice(0, slash) : null;
}

/** An address without what may be secret in it: a user, a password, a query. */
export function shownAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return (origin + pathname).replace(/\/+$/, '');
}
