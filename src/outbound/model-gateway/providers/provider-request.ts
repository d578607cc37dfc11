import type { IncomingHttpHeaders } from 'node:http';
import type { ModelTarget } from '../../../agents/agent-settings';
import { VERSION } from '../../../kernel/common';
import { type ModelRequest, bodyFor } from '../protocol/model-request';
import { addressOf, credentials, knownProvider, nameAtProvider } from './provider-addresses';

/** Headers of a caller that go on to a provider: what they ask for, and nothing about who or where they are. */
const PASSED = ['accept', 'anthropic-version', 'anthropic-beta', 'openai-beta', 'idempotency-key'];

/** A call as a provider gets it. */
export interface ProviderRequest {
  readonly url: URL;
  /** Names and values alternating. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/**
 * Makes the call for a provider.
 * @param model its full name
 * @param maxOutput the most that the organization lets a model write
 * @returns null where nobody knows the address
 */
export function requestFor(
  request: ModelRequest,
  asked: { readonly model: string; readonly maxOutput: number | null; readonly headers: IncomingHttpHeaders },
  target: ModelTarget,
): ProviderRequest | null {
  const { model, maxOutput } = asked;
  const { protocol } = request;
  const url = addressOf(model, target.baseUrl, protocol);
  if (url === null) return null;
  const provider = knownProvider(model) ?? '';
  const body = bodyFor(request, { model: nameAtProvider(model), provider, maxOutput });
  const headers = [
    'content-type',
    'application/json',
    'accept-encoding',
    'identity',
    'user-agent',
    `org-conversation-service/${VERSION}`,
  ];
  for (const name of PASSED) {
    const value = asked.headers[name];
    if (typeof value === 'string') headers.push(name, value);
  }
  const own = Object.entries(target.headers).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    value,
  ]);
  const taken = new Set(own.map(([name]) => name));
  const all = [...headers, ...credentials(model, target.apiKey, protocol)];
  const kept: string[] = [];
  for (let n = 0; n + 1 < all.length; n += 2)
    if (!taken.has(all[n] ?? '')) kept.push(all[n] ?? '', all[n + 1] ?? '');
  return { url, headers: [...kept, ...own.flat()], body };
}
