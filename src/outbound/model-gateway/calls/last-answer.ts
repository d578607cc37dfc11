import type { ServerResponse } from 'node:http';
import {
  ProviderKeyRefusedError,
  ProviderTimeoutError,
  ProviderUnavailableError,
} from '../model-gateway.errors';
import type { LastTry } from './provider-tries';

const HIDDEN = '**********';
/** Headers of a refusal that go on: how it is written, and when to come again. */
const PASSED = ['content-type', 'retry-after', 'retry-after-ms', 'x-should-retry'];

/**
 * Answers a call that no provider answered with success: with what the last one said, which is for the caller to read, or with
 * why there is nothing. Others have answered already.
 * @throws ProviderKeyRefusedError, ProviderUnavailableError, ProviderTimeoutError
 */
export function answerLast(response: ServerResponse, { outcome, target }: LastTry): void {
  if (outcome.kind === 'passed' || response.destroyed) return;
  if (outcome.kind === 'failed') {
    if (outcome.why === 'timeout') throw new ProviderTimeoutError();
    throw new ProviderUnavailableError(outcome.sentence);
  }
  const { status, headers, text } = outcome;
  // Many of these answers have a good part of the key in them.
  if (status === 401 || status === 403 || status === 407) throw new ProviderKeyRefusedError();
  if (status < 400) throw new ProviderUnavailableError(`it answered with the status ${status}`);
  const body = Buffer.from(masked(text, [target.apiKey, ...Object.values(target.headers)]));
  for (const name of PASSED) {
    const value = headers[name];
    if (typeof value === 'string') response.setHeader(name, value);
  }
  response.writeHead(status, { 'Content-Length': body.length }).end(body);
}

/** A provider's sentence without what it was called with. */
function masked(text: string, secrets: readonly (string | null)[]): string {
  return secrets.reduce<string>(
    (shown, secret) => (secret === null || secret === '' ? shown : shown.replaceAll(secret, HIDDEN)),
    text,
  );
}
