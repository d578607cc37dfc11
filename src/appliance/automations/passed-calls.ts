import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Pool } from 'undici';
import { type Caller, type OrgContext, requireOwnSignIn } from '../../kernel/auth';
import { MEBIBYTE, ServiceUnavailableError, Clock, TtlCache } from '../../kernel/common';
import { SETTINGS, type Settings } from '../../kernel/config';
import { readBody } from '../../kernel/http';
import { DESCRIBES_BODY, PathNotPassableError, staysBelowRoot } from '../../sandboxes/sandbox-access';
import { ServiceKeys } from '../../accounts/api-keys';

/** How long a lent key works: longer than it is used, so that no call meets its end. */
const LIFETIME_MS = 600_000;
const USED_MS = 300_000;
const MOST = 10_000;

/**
 * The keys by which the service for automations knows whose calls are passed on to it. Each stands for one credential in one
 * organization, works for minutes, and never longer than that credential.
 */
@Injectable()
export class LentKeys {
  private readonly keys: TtlCache<string>;

  constructor(
    private readonly lender: ServiceKeys,
    private readonly clock: Clock,
  ) {
    this.keys = new TtlCache(clock, USED_MS, MOST);
  }

  /**
   * The text of a key of the caller that is bound to the organization.
   * @throws NoSuchMemberError if the caller has just left it
   */
  of(caller: Caller, { orgId }: OrgContext): Promise<string> {
    return this.keys.get(nameOf(caller, orgId), () => {
      const end = new Date(this.clock.now().getTime() + LIFETIME_MS);
      const { keyExpiresAt, userId, scopes, madeBy } = caller;
      const expiresAt = keyExpiresAt !== null && keyExpiresAt < end ? keyExpiresAt : end;
      return this.lender.lend(
        { userId, orgId },
        {
          name: 'Passed on to automations',
          expiresAt,
          scopes: scopes === null ? null : [...scopes],
          madeBy: madeBy ?? null,
        },
      );
    });
  }

  /** The key was refused, as it has been revoked: the next call gets another. */
  forget(caller: Caller, { orgId }: OrgContext): void {
    this.keys.delete(nameOf(caller, orgId));
  }
}

function nameOf({ keyId, sessionId }: Caller, orgId: string): string {
  return `${keyId} ${sessionId ?? ''} ${orgId}`;
}

/** 503: no answer of the service for automations that could be passed on. */
class AutomationsUnavailableError extends ServiceUnavailableError {
  /** @param reason for logs */
  constructor(readonly reason: string) {
    super('The service for automations does not answer.', 'automations_unavailable');
  }
}

const MAX_BODY_BYTES = 2 * MEBIBYTE;
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_CONNECTIONS = 50;

/** What of a request concerns the other service, by name or its beginning: no credential, nothing of the network. */
const PASSED = /^(?:accept|accept-language|content-type|if-none-match|range|x-openhands-.+)$/;

/** Passes calls on to the service for automations (docs/web-interface.md#automations). */
@Injectable()
export class PassedCalls implements OnModuleDestroy {
  private readonly log = new Logger(PassedCalls.name);
  private readonly base: URL;
  private readonly pool: Pool;
  private readonly timeoutMs: number;

  constructor(
    @Inject(SETTINGS) { AUTOMATION_URL = '', SEND_TIMEOUT_SECONDS }: Settings,
    private readonly keys: LentKeys,
  ) {
    this.base = new URL(AUTOMATION_URL);
    this.timeoutMs = SEND_TIMEOUT_SECONDS * 1_000;
    this.pool = new Pool(this.base.origin, {
      connections: MAX_CONNECTIONS,
      connect: { timeout: CONNECT_TIMEOUT_MS },
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.pool.destroy();
  }

  /**
   * Passes one call on, and its answer back as it comes; redirects are not followed.
   * @throws KeptByLinkError, PathNotPassableError, BodyTooLargeError, AutomationsUnavailableError, NoSuchMemberError
   */
  async pass(
    whose: { readonly caller: Caller; readonly org: OrgContext },
    request: Request,
    response: Response,
    clientAbort: AbortSignal,
  ): Promise<void> {
    requireOwnSignIn(whose.caller);
    const [path = ''] = request.originalUrl.split('?', 1);
    // A server may be asked for a whole URL, which would lead elsewhere from there.
    if (!path.startsWith('/') || !staysBelowRoot(path)) throw new PathNotPassableError();
    const body = await readBody(request, MAX_BODY_BYTES);
    const key = await this.keys.of(whose.caller, whose.org);
    const signal = AbortSignal.any([clientAbort, AbortSignal.timeout(this.timeoutMs)]);
    const answer = await this.pool
      .request({
        method: methodOf(request),
        path: this.base.pathname.replace(/\/+$/, '') + request.originalUrl,
        headers: { ...passedHeaders(request), authorization: `Bearer ${key}` },
        body: body.length === 0 ? null : body,
        signal,
      })
      .catch((error: unknown) => this.fail(error));
    // The caller's own credential is good: a 401 would have the page sign in again.
    if (answer.statusCode === 401) {
      this.keys.forget(whose.caller, whose.org);
      await answer.body.dump();
      this.fail(new Error('It refuses the key that was made for it.'));
    }
    response.status(answer.statusCode).set(answerHeaders(answer.headers));
    await this.passBody(answer.body, response);
  }

  /** An answer that breaks off is cut off, so that nobody takes it for complete. */
  private async passBody(body: Readable, response: Response): Promise<void> {
    try {
      await pipeline(body, response);
    } catch (error) {
      this.log.debug({ err: error }, 'An answer of the service for automations broke off');
    }
  }

  private fail(error: unknown): never {
    this.log.warn({ err: error }, 'The service for automations does not answer');
    throw new AutomationsUnavailableError(error instanceof Error ? error.message : String(error));
  }
}

type Method = Parameters<Pool['request']>[0]['method'];

const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

function methodOf({ method }: Request): Method {
  return METHODS.find((known) => known === method) ?? 'GET';
}

function passedHeaders({ headers }: Request): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (PASSED.test(name) && typeof value === 'string') passed[name] = value;
  return passed;
}

/** As with sandboxes, only what describes the body passes, and nothing of it runs as a page of the service. */
function answerHeaders(received: Readonly<Record<string, string | string[] | undefined>>) {
  const headers: Record<string, string> = { 'content-security-policy': 'sandbox' };
  for (const name of DESCRIBES_BODY) {
    const value = received[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}
