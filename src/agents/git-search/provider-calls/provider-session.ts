import { SpanKind } from '@opentelemetry/api';
import { Client } from 'undici';
import { z } from 'zod';
import { AppError, checkedLookup } from '../../../kernel/common';
import { inSpan } from '../../../kernel/telemetry';
import {
  GitCredentialRefusedError,
  GitProviderFailedError,
  GitProviderUnavailableError,
  isFound,
  type ProviderAnswer,
} from './provider-answer';
import type { Readable } from 'node:stream';

/** A page of a hundred repositories of the wordiest provider has less than 1 MiB. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Lists and objects, which take many times their bytes once they are read. */
const MAX_BRACKETS = 200_000;
const BRACKETS = [0x5b, 0x7b];

/**
 * Reads the JSON of an answer.
 * @throws GitProviderFailedError for more than is read, and for anything else than JSON
 */
async function boundedJson(body: Readable): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let brackets = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    brackets += bracketsIn(chunk);
    if (bytes > MAX_BYTES || brackets > MAX_BRACKETS) {
      body.destroy();
      throw new GitProviderFailedError('its answer is too large');
    }
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new GitProviderFailedError('its answer is no JSON');
  }
}

function bracketsIn(chunk: Buffer): number {
  let found = 0;
  for (const bracket of BRACKETS)
    for (let at = chunk.indexOf(bracket); at !== -1; at = chunk.indexOf(bracket, at + 1)) found++;
  return found;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Renamed repositories are redirected to; within the host only. */
const MAX_REDIRECTS = 3;

/** Parameters of a call; null ones are left out. */
export type Parameters = Readonly<Record<string, string | number | boolean | null>>;

/** The options of every call. */
export interface SessionOptions {
  /** The checked addresses of the host: the name is not resolved again. */
  readonly addresses: readonly string[];
  /** What the credential's address names at the server: an owner first, where it names one. */
  readonly names: readonly string[];
  readonly authorization: string;
  readonly signal: AbortSignal;
}

/** The calls of one search to the host of one provider: one connection, closed with it. */
export class ProviderSession {
  private readonly client: Client;

  /** @param base what the paths of the API begin with */
  constructor(
    readonly base: URL,
    private readonly options: SessionOptions,
  ) {
    this.client = new Client(base.origin, {
      connect: {
        lookup: checkedLookup(options.addresses),
        autoSelectFamily: true,
        timeout: CONNECT_TIMEOUT_MS,
      },
    });
  }

  /**
   * @param segments of the path below the base, not yet escaped
   * @returns null for what does not exist
   * @throws GitCredentialRefusedError, GitProviderUnavailableError, GitProviderFailedError
   */
  async get(segments: readonly string[], parameters: Parameters = {}): Promise<ProviderAnswer | null> {
    // Those lead to another path, escaped behind some proxies as well; nothing has such a name.
    if (segments.flatMap((segment) => segment.split('/')).some((name) => /^\.{1,2}$/.test(name))) return null;
    const path = segments.map(encodeURIComponent).join('/');
    let url = new URL(`${this.base.pathname.replace(/\/+$/, '')}/${path}`, this.base);
    for (const [name, value] of Object.entries(parameters))
      if (value !== null) url.searchParams.set(name, String(value));
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const answer = await this.inSpan(url);
      if (!(answer instanceof URL)) return answer;
      url = answer;
    }
    throw new GitProviderFailedError('it redirects without an end');
  }

  /** The owner of repositories that the credential is for, where its address names one. */
  get owner(): string | null {
    return this.named(0);
  }

  /**
   * Whether the credential is for a name, as its address says; names are the same in any case.
   * @param level of the name in the path of the address
   */
  isFor(name: string, level = 0): boolean {
    const own = this.named(level);
    return own === null || own.toLowerCase() === name.toLowerCase();
  }

  private named(level: number): string | null {
    return this.options.names[level] ?? null;
  }

  /** Whether there is an API that reports its version, as all do that may be below a path. */
  async isThere(): Promise<boolean> {
    try {
      const answer = await this.get(['version']);
      return answer !== null && z.object({ version: z.string() }).safeParse(answer.body).success;
    } catch (error) {
      if (error instanceof GitCredentialRefusedError || error instanceof GitProviderFailedError) return false;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.client.destroy();
  }

  /** Without the headers of the trace: the provider is a stranger. */
  private inSpan(url: URL): Promise<URL | ProviderAnswer | null> {
    const attributes = { 'http.request.method': 'GET', 'server.address': url.hostname };
    return inSpan('GET', { kind: SpanKind.CLIENT, attributes }, () => this.call(url));
  }

  /** @returns where it is redirected to, the answer, or null for what does not exist */
  private async call(url: URL): Promise<URL | ProviderAnswer | null> {
    try {
      const { statusCode, headers, body } = await this.client.request({
        method: 'GET',
        path: url.pathname + url.search,
        headers: {
          // A password may have letters that a header has as bytes.
          authorization: Buffer.from(this.options.authorization).toString('latin1'),
          accept: 'application/json',
          'user-agent': 'org-conversation-service',
        },
        signal: this.options.signal,
      });
      try {
        if (statusCode >= 301 && statusCode <= 308 && statusCode !== 304)
          return redirected(url, headers['location']);
        return isFound(statusCode, headers) ? { headers, body: await boundedJson(body) } : null;
      } finally {
        body.on('error', () => undefined).destroy();
      }
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new GitProviderUnavailableError(undefined, { cause: codeOf(error) });
    }
  }
}

/** @throws GitProviderFailedError for another host: the credential is for this one */
function redirected(from: URL, location: string | string[] | undefined): URL {
  const target = [location ?? []].flat()[0] ?? '';
  const to = URL.canParse(target, from.href) ? new URL(target, from) : null;
  if (to?.origin !== from.origin)
    throw new GitProviderFailedError('it sends elsewhere, which is not followed');
  return to;
}

/** For logs: a word that reveals nothing about the call. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
