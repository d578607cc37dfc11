import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { Client } from 'undici';
import {
  AllowedHosts,
  CheckedHosts,
  checkedLookup,
  HostLookup,
  HostProblem,
  isLocalName,
  PrivateHostError,
  UnknownHostError,
} from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { ProviderProblem } from './provider-problem';
import { publishedKeys } from './published-keys';

/** Documents and keys of the largest providers have less than 100 KiB. */
const MAX_BYTES = 1024 * 1024;
const CONNECT_TIMEOUT_MS = 3_000;
/** People wait for it. */
const TIMEOUT_MS = 5_000;

/** What libraries ask for, as `fetch` takes it. */
export interface ProviderCall {
  readonly method: string;
  readonly headers: Headers | Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls providers of identities, whose addresses owners of organizations enter, and which name further ones: each host is
 * checked, encryption required, no redirect followed, and little read within a short time. Hosts in `OIDC_ALLOWED_HOSTS` may be
 * private, and without encryption.
 */
@Injectable()
export class ProviderFetch {
  private readonly hosts: CheckedHosts;

  constructor(lookup: HostLookup, @Inject(SETTINGS) { OIDC_ALLOWED_HOSTS }: Settings) {
    this.hosts = new CheckedHosts(new AllowedHosts('OIDC_ALLOWED_HOSTS', OIDC_ALLOWED_HOSTS), lookup);
  }

  /** Why an address can be no provider's, whatever its host is now; null where it may. */
  problemOf(text: string): string | null {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an https address';
    if (url.username !== '' || url.password !== '') return 'must not hold a user or password';
    if (url.protocol !== 'https:' && !this.hosts.allows(url.hostname, portOf(url))) return 'must be of https';
    return null;
  }

  /** As {@link problemOf}, for an issuer that somebody enters; a name without an address now may have one later. */
  async problemOfIssuer(text: string): Promise<string | null> {
    const problem = this.problemOf(text);
    if (problem !== null) return problem;
    const url = new URL(text);
    if (/[?#]/.test(text) || url.pathname.includes('/.well-known/'))
      return 'must be the issuer alone, without the path of its discovery document, query or fragment';
    try {
      await this.addressesOf(url);
      return null;
    } catch (error) {
      if (error instanceof UnknownHostError) return null;
      if (error instanceof HostProblem) return error.message;
      throw error;
    }
  }

  /**
   * In place of `fetch`: the answer with its whole body, whatever its status.
   * @throws ProviderProblem
   */
  async fetch(text: string, { method, headers, body, signal }: ProviderCall): Promise<Response> {
    const problem = this.problemOf(text);
    if (problem !== null) throw new ProviderProblem(`an address of it ${problem}`);
    const url = new URL(text);
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    const client = await this.connect(url);
    try {
      const answer = await client.request({
        method: method === 'POST' ? 'POST' : 'GET',
        path: url.pathname + url.search,
        headers: Object.fromEntries(new Headers(headers)),
        body: textOf(body),
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      const bytes = await boundedBytes(answer.body);
      return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), {
        status: answer.statusCode,
        headers: Object.entries(answer.headers).flatMap(([name, value]) =>
          [value ?? []].flat().map((one): [string, string] => [name, one]),
        ),
      });
    } catch (error) {
      if (error instanceof ProviderProblem) throw error;
      const reason =
        limit.aborted || signal?.aborted === true ? 'it does not answer in time' : 'it does not answer';
      throw new ProviderProblem(reason, { cause: error });
    } finally {
      void client.destroy().catch(() => undefined);
    }
  }

  /**
   * As {@link fetch}, for the keys that a provider publishes, with what is read of them alone: whoever asks keeps them.
   * @throws ProviderProblem
   */
  async fetchKeys(text: string, call: ProviderCall): Promise<Response> {
    const answer = await this.fetch(text, call);
    const keys = answer.status === 200 ? publishedKeys(await answer.text()) : null;
    if (keys === null) throw new ProviderProblem('its keys cannot be read');
    return Response.json({ keys });
  }

  /** @throws HostProblem */
  private async addressesOf(url: URL): Promise<readonly string[]> {
    const isAllowed = this.hosts.allows(url.hostname, portOf(url));
    if (!isAllowed && isLocalName(url.hostname)) throw new PrivateHostError(url.hostname);
    return this.hosts.addressesOf(url.hostname, portOf(url));
  }

  /** A connection that goes to the checked addresses of a host only. */
  private async connect(url: URL): Promise<Client> {
    try {
      const addresses = await this.addressesOf(url);
      // Loaded with the first provider: most installations have none.
      const undici = await import('undici');
      return new undici.Client(url.origin, {
        connect: {
          lookup: checkedLookup(addresses),
          autoSelectFamily: true,
          timeout: CONNECT_TIMEOUT_MS,
        },
      });
    } catch (error) {
      if (error instanceof HostProblem) throw new ProviderProblem(error.message, { cause: error });
      throw error;
    }
  }
}

async function boundedBytes(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MAX_BYTES) throw new ProviderProblem('its answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The bodies of requests are forms. */
function textOf(body: unknown): string | null {
  if (body instanceof URLSearchParams) return body.toString();
  return typeof body === 'string' ? body : null;
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
