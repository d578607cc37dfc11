import type { ModelTarget } from '../../../agents/agent-settings';
import { OPERATION_PATHS, type Protocol } from '../protocol/protocols';

/** Addresses of the APIs of providers, with the version, where none is set. */
const ADDRESSES: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  cerebras: 'https://api.cerebras.ai/v1',
  deepseek: 'https://api.deepseek.com/v1',
  fireworks_ai: 'https://api.fireworks.ai/inference/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/openai',
  groq: 'https://api.groq.com/openai/v1',
  mistral: 'https://api.mistral.ai/v1',
  moonshot: 'https://api.moonshot.ai/v1',
  openai: 'https://api.openai.com/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  together_ai: 'https://api.together.xyz/v1',
  xai: 'https://api.x.ai/v1',
  zai: 'https://api.z.ai/api/paas/v4',
};

/** Providers without an address of their own, whose prefix is no part of a model's name either. */
const WITHOUT_ADDRESS = new Set([
  'azure',
  'hosted_vllm',
  'litellm_proxy',
  'lm_studio',
  'ollama',
  'ollama_chat',
  'openai_like',
  'openhands',
  'vllm',
]);

/** The provider in the name of a model; null for a name that begins with none that is known. */
export function knownProvider(model: string): string | null {
  const provider = model.slice(0, Math.max(0, model.indexOf('/')));
  return Object.hasOwn(ADDRESSES, provider) || WITHOUT_ADDRESS.has(provider) ? provider : null;
}

/**
 * What a model is called at a place: its name without the provider, if the place is that provider's. Anywhere else the name is
 * for another model than the one that was allowed and priced.
 */
export function nameAt(
  model: string,
  { provider, baseUrl }: Pick<ModelTarget, 'provider' | 'baseUrl'>,
): string {
  const known = knownProvider(model);
  return known !== null && known === (provider ?? providerAt(baseUrl))
    ? model.slice(known.length + 1)
    : model;
}

/** Whose an address is that nobody has said; most speak like OpenAI's, and clients have that before the names of their models. */
function providerAt(baseUrl: string | null): string {
  const host = baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl).host : null;
  return Object.entries(ADDRESSES).find(([, address]) => new URL(address).host === host)?.[0] ?? 'openai';
}

/**
 * Where a call goes.
 * @param baseUrl as it is set; null for the provider's own
 * @returns null where none is known
 */
export function addressOf(model: string, baseUrl: string | null, protocol: Protocol): URL | null {
  const provider = knownProvider(model);
  const base = baseUrl ?? (provider === null ? undefined : ADDRESSES[provider]);
  if (base === undefined || !URL.canParse(base)) return null;
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, '');
  const operation = OPERATION_PATHS[protocol];
  // Clients of Anthropic's API add the version themselves, and addresses are set for them so.
  const isVersioned = /\/v\d+[a-z0-9]*(?:\/|$)/i.test(path);
  const addsVersion = !isVersioned && (provider === 'anthropic' || protocol === 'messages');
  const prefix = path.endsWith(operation) ? path.slice(0, -operation.length) : path;
  url.pathname = `${prefix}${addsVersion && prefix === path ? '/v1' : ''}${operation}`;
  return url;
}

/** The headers that say who calls, names and values alternating. */
export function credentials(model: string, apiKey: string | null, protocol: Protocol): string[] {
  if (apiKey === null) return [];
  if (knownProvider(model) === 'azure') return ['api-key', apiKey];
  const bearer = ['authorization', `Bearer ${apiKey}`];
  if (protocol !== 'messages') return bearer;
  // Anthropic takes one of the two; those that speak like it, either.
  return knownProvider(model) === 'anthropic' ? ['x-api-key', apiKey] : ['x-api-key', apiKey, ...bearer];
}
