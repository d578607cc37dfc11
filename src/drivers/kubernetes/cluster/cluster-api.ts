import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { isRecord, messageOf } from '../../../kernel/common';
import { DriverError } from '../../../sandboxes/driver-port';
import { words } from '../state/pod-problems';
import { ApiRefusal, ApiUnavailable, isPassing, refusalOf } from './api-errors';
import type { ClusterAccess, Credentials } from './cluster-access';
import { type End, endOf } from './lines';

/** The time-out of most calls; a watch has none. */
const TIMEOUT_MS = 5_000;
/** A call is tried again within this time; who needs it longer has a job that does. */
const PATIENCE_MS = 6_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
const MAX_CONNECTIONS = 16;
/** As `fieldManager`, so that what others set in an object stays theirs. */
const MANAGER = 'org-conversation-service';

type Query = Readonly<Record<string, string>>;

/** One call to the API server. */
interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  /** Default: JSON. */
  readonly contentType?: string;
}

/**
 * Calls of the cluster's API, over kept-alive connections: the library's own makes a new TLS connection for each. Each call
 * may be made twice, which all that are made here allow for.
 */
export class ClusterApi {
  private pool: { readonly version: string; readonly pool: Pool } | undefined;
  private current: Credentials | undefined;

  /** @param counted is called with each request that is answered */
  constructor(
    readonly access: ClusterAccess,
    private readonly counted: (method: string, status: number) => void = () => undefined,
  ) {}

  /** Reads the credentials again, for who uses them without a call. */
  async renew(): Promise<void> {
    this.current = await this.access.credentials();
  }

  /** The credentials as they were read last; undefined before the first call. */
  get credentials(): Credentials | undefined {
    return this.current;
  }

  /** @throws ApiRefusal, ApiUnavailable */
  get(path: string, query: Query = {}): Promise<unknown> {
    return this.call({ method: 'GET', path, query });
  }

  /** Errors in the object are refused rather than left out. @throws ApiRefusal (409 when it is there), ApiUnavailable */
  create(path: string, object: unknown): Promise<unknown> {
    return this.call({ method: 'POST', path, query: { fieldValidation: 'Strict' }, body: object });
  }

  /** Makes an object as it should be, whether there is one or not. @param options in the query @throws ApiRefusal, ApiUnavailable */
  apply(path: string, object: unknown, options: Query = {}): Promise<unknown> {
    const query = { fieldManager: MANAGER, force: 'true', fieldValidation: 'Strict', ...options };
    return this.call({
      method: 'PATCH',
      path,
      query,
      body: object,
      contentType: 'application/apply-patch+yaml',
    });
  }

  /** Replaces the fields that are given. @throws ApiRefusal, ApiUnavailable */
  merge(path: string, fields: unknown): Promise<unknown> {
    const query = { fieldManager: MANAGER, fieldValidation: 'Strict' };
    return this.call({
      method: 'PATCH',
      path,
      query,
      body: fields,
      contentType: 'application/merge-patch+json',
    });
  }

  /** Makes changes in turn, as JSON patch. @throws ApiRefusal, ApiUnavailable */
  change(path: string, changes: readonly unknown[]): Promise<unknown> {
    const query = { fieldManager: MANAGER, fieldValidation: 'Strict' };
    return this.call({
      method: 'PATCH',
      path,
      query,
      body: changes,
      contentType: 'application/json-patch+json',
    });
  }

  /** Nothing happens where there is none. @throws ApiRefusal, ApiUnavailable */
  async remove(path: string): Promise<void> {
    try {
      await this.call({ method: 'DELETE', path, query: { propagationPolicy: 'Background' } });
    } catch (error) {
      if (!(error instanceof ApiRefusal) || error.status !== 404) throw error;
    }
  }

  /**
   * The end of a text, such as a log, of which no more than so much is held at a time: those who write it are not trusted.
   * @throws ApiRefusal, ApiUnavailable
   */
  end(path: string, query: Query, bytes: number): Promise<End> {
    return this.patiently(async () => {
      const response = await this.request({ method: 'GET', path, query });
      await refuse(response);
      return endOf(response.body, bytes);
    });
  }

  /** The events of a watch, until it ends or is aborted. @throws ApiRefusal, ApiUnavailable */
  async stream(path: string, query: Query, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    const response = await this.request({ method: 'GET', path, query }, signal).catch(unavailable);
    await refuse(response);
    return response.body;
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.pool?.pool.destroy();
    this.pool = undefined;
  }

  private call(call: ApiCall): Promise<unknown> {
    return this.patiently(async () => {
      const response = await this.request(call);
      await refuse(response);
      return parsed(await response.body.text());
    });
  }

  private async patiently<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const until = performance.now() + PATIENCE_MS;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof ApiRefusal && !isPassing(error)) throw error;
        if (isMistrust(error)) throw new DriverError(mistrusted(error, this.access.server), { cause: error });
        const waitMs = error instanceof ApiRefusal ? Math.max(error.waitMs, pauseMs) : pauseMs;
        // Not all at the same moment again.
        const jittered = waitMs * (1 + Math.random() / 2);
        if (performance.now() + jittered > until) unavailable(error);
        await sleep(jittered);
      }
    }
  }

  private async request(
    { method, path, query = {}, body, contentType = 'application/json' }: ApiCall,
    signal?: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { pool, headers, prefix } = await this.connect();
    const all = [...headers, 'accept', 'application/json', 'user-agent', MANAGER];
    if (body !== undefined) all.push('content-type', contentType);
    const search = new URLSearchParams(query).toString();
    const response = await pool.request({
      method,
      path: prefix + path + (search === '' ? '' : `?${search}`),
      headers: all,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: signal === undefined ? TIMEOUT_MS : 0,
      ...(signal !== undefined && { signal }),
    });
    this.counted(method, response.statusCode);
    return response;
  }

  private async connect(): Promise<{ pool: Pool; headers: readonly string[]; prefix: string }> {
    const credentials = await this.access.credentials();
    this.current = credentials;
    const { origin, pathname } = new URL(this.access.server);
    if (this.pool?.version !== credentials.version) {
      void this.pool?.pool.close();
      const connect = { timeout: TIMEOUT_MS, ...credentials.tls };
      const pool = new Pool(origin, { connections: MAX_CONNECTIONS, pipelining: 1, connect });
      this.pool = { version: credentials.version, pool };
    }
    return { pool: this.pool.pool, headers: credentials.headers, prefix: pathname.replace(/\/+$/, '') };
  }
}

/** @throws ApiRefusal unless it is a success */
async function refuse({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<void> {
  if (statusCode >= 300) throw refusalOf(statusCode, parsed(await body.text()), headers['retry-after']);
}

function unavailable(error: unknown): never {
  throw new ApiUnavailable(reasonOf(error), { cause: error });
}

/** Whether the certificate of the server is not that of the cluster. */
function isMistrust(error: unknown): boolean {
  return (
    !(error instanceof ApiRefusal) && /CERT|SIGNATURE|ALTNAME|wrong version number/.test(reasonOf(error))
  );
}

function mistrusted(error: unknown, server: string): string {
  return `The certificate of the API server at ${server} is not trusted (${words(reasonOf(error))}): correct the address and the certificate authority of the kubeconfig.`;
}

function reasonOf(error: unknown): string {
  const code = isRecord(error) && typeof error.code === 'string' ? error.code : '';
  const message = isRecord(error) && typeof error.message === 'string' ? error.message : messageOf(error);
  return [code, message].filter((part) => part !== '').join(', ');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
