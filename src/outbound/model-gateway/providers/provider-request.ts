import type { IncomingHttpHeaders } from 'node:http';
import { isOfConnection, type ModelTarget } from '../../../agents/agent-settings';
import { VERSION } from '../../../kernel/common';
import type { Protocol } from '../protocol/protocols';
import { addressOf, credentials } from './provider-addresses';

/** Headers of a caller that go on to a provider: what they ask for, and nothing about who or where they are. */
const PASSED = ['anthropic-version', 'anthropic-beta', 'idempotency-key'];

/** What callers may have of Anthropic that is not for everybody yet: nothing that the provider does beside the answer. */
const BETAS = new Set([
  'prompt-caching',
  'extended-cache-ttl',
  'output-128k',
  'output-300k',
  'context-1m',
  'pdfs',
  'effort',
  'interleaved-thinking',
  'dev-full-thinking',
  'token-efficient-tools',
  'fine-grained-tool-streaming',
  ...[
    'computer-use',
    'context-management',
    'structured-outputs',
    'model-context-window-exceeded',
    'claude-code',
  ],
]);

/** Where a provider gets a call, and with which headers. */
export interface ProviderRequest {
  readonly url: URL;
  /** Names and values alternating. */
  readonly headers: readonly string[];
}

/**
 * Makes the call for a provider, but for its body.
 * @param model its full name
 * @returns null where nobody knows the address
 */
export function requestFor(
  protocol: Protocol,
  asked: { readonly model: string; readonly headers: IncomingHttpHeaders },
  target: ModelTarget,
): ProviderRequest | null {
  const { model } = asked;
  const url = addressOf(model, target.baseUrl, protocol);
  if (url === null) return null;
  const headers = [
    'content-type',
    'application/json',
    'accept-encoding',
    'identity',
    'user-agent',
    `org-conversation-service/${VERSION}`,
  ];
  for (const name of PASSED) {
    const given = asked.headers[name];
    if (typeof given !== 'string') continue;
    const value = name === 'anthropic-beta' ? allowedBetas(given) : given;
    if (value !== '') headers.push(name, value);
  }
  // Some were saved before these were refused.
  const own = Object.entries(target.headers)
    .filter(([name]) => !isOfConnection(name))
    .map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  const taken = new Set(own.map(([name]) => name));
  const all = [...headers, ...credentials(model, target.apiKey, protocol)];
  const kept: string[] = [];
  for (let n = 0; n + 1 < all.length; n += 2)
    if (!taken.has(all[n] ?? '')) kept.push(all[n] ?? '', all[n + 1] ?? '');
  return { url, headers: [...kept, ...own.flat()] };
}

function allowedBetas(value: string): string {
  const given = value.split(',').map((beta) => beta.trim());
  return given.filter((beta) => BETAS.has(beta.replace(/-\d{4}-?\d{2}-?\d{2}$/, ''))).join(',');
}
