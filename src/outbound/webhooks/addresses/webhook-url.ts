import { MAX_URL } from '../record/limits';

/**
 * @returns what is wrong with the address of a webhook whatever its host, or null (docs/webhooks.md#addresses);
 *   {@link WebhookAddresses} judges the host
 */
export function urlProblem(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    return 'the address must be of https, as https://host/path';
  if (url.username !== '' || url.password !== '') return 'the address must not hold a user or password';
  if (text.includes('#')) return 'the address must not have a fragment';
  return url.href.length <= MAX_URL
    ? null
    : `the address must have at most ${MAX_URL} characters, with all that has to be escaped`;
}

/** The port that a connection for an address goes to. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
