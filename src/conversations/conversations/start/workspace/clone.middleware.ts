import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Injectable, Logger, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { UnauthenticatedError } from '../../../../kernel/auth';
import { KeyedSemaphore, MEBIBYTE, upTo } from '../../../../kernel/common';
import { FailedCredentials, sendContinue } from '../../../../kernel/http';
import { FETCHED_REFS, GitUpstream, KeptCredentials, RegistrationProblem } from '../../../../agents/skills';
import { CLONE_PATH } from './clone-logins';
import { CLONE_SECONDS, CloneTickets, type TicketedClone } from './clone-tickets';

/** The clone under way, and one that its client aborted a moment ago. */
const AT_ONCE = 2;
const MAX_RECEIVED_BYTES = 4096 * MEBIBYTE;

/** Request headers that are forwarded to the server of the repository. */
const PASSED_ON = [
  'accept',
  'accept-encoding',
  'content-encoding',
  'content-length',
  'content-type',
  'git-protocol',
];
/** Response headers that are forwarded to the sandbox. */
const PASSED_BACK = ['content-encoding', 'content-length', 'content-type'];

/**
 * Fetches repositories for clones in sandboxes (docs/contract.md#git-credentials): takes the two requests of git's protocol
 * with which something is fetched, from the holder of a ticket, and passes them on with the credential. Not a controller,
 * because nothing may read the body of such a request.
 */
@Injectable()
export class CloneMiddleware implements NestMiddleware {
  private readonly logger = new Logger('Clones');
  private readonly running = new KeyedSemaphore({ clone: AT_ONCE });

  constructor(
    private readonly tickets: CloneTickets,
    private readonly credentials: KeptCredentials,
    private readonly upstream: GitUpstream,
    private readonly failed: FailedCredentials,
  ) {}

  /** @throws UnauthenticatedError, TooManyFailedCredentialsError */
  async use(request: Request, response: Response, next: NextFunction): Promise<void> {
    const [, operation = ''] = request.originalUrl.split(CLONE_PATH);
    const isFetch =
      (request.method === 'GET' && operation === FETCHED_REFS) ||
      (request.method === 'POST' && operation === '/git-upload-pack');
    if (!isFetch) {
      next();
      return;
    }
    const clone = await this.ticketed(request);
    const keys = { clone: clone.taskId };
    if (!this.running.fits(keys)) {
      refuse(response, 429, 'This clone is going on already.');
      return;
    }
    await this.running.during(keys, () => this.pass(clone, operation, request, response));
  }

  /** Wrong tickets are not counted by address: whoever sends them holds up nobody else there who has a ticket. */
  private async ticketed(request: IncomingMessage): Promise<TicketedClone> {
    const [, ticket = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const clone = await this.tickets.open(ticket);
    if (clone !== null) return clone;
    const error = new UnauthenticatedError('Authorization', 'The clone is over, or there is none.');
    return this.failed.watch(request, 'clone', () => Promise.reject(error));
  }

  private async pass(
    clone: TicketedClone,
    operation: string,
    request: Request,
    response: Response,
  ): Promise<void> {
    const credential = await this.credentials.forUrl(clone.url, clone);
    if (credential === null) {
      refuse(response, 403, 'The git credential of this clone was deleted.');
      return;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(CLONE_SECONDS * 1000)]);
    try {
      sendContinue(request);
      const headers = { 'user-agent': 'git/org-conversation-service', ...chosen(request.headers, PASSED_ON) };
      const sent = { headers, body: request.method === 'POST' ? request : null, signal };
      const answer = await this.upstream.send(`${clone.url}${operation}`, credential, sent);
      const {
        statusCode: status = 0,
        headers: { 'content-type': type = '' },
      } = answer;
      if (status !== 200 || !type.startsWith('application/x-git-')) {
        answer.destroy();
        refuse(
          response,
          502,
          `The server of the repository answers otherwise than git's do, with status ${status}.`,
        );
        return;
      }
      response.writeHead(200, { ...chosen(answer.headers, PASSED_BACK), 'cache-control': 'no-store' });
      await pipeline(answer, upTo(MAX_RECEIVED_BYTES), response, { signal });
    } catch (error) {
      this.logger.debug({ err: error }, 'A clone broke off');
      // A response that has begun is cut off, so that git does not take it for complete.
      if (response.headersSent) response.destroy();
      else
        refuse(
          response,
          502,
          `${error instanceof RegistrationProblem ? error.message : 'The clone broke off'}.`,
        );
    }
  }
}

/** Git prints a plain-text body to the user. */
function refuse(response: Response, status: number, sentence: string): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'Content-Type': 'text/plain', Connection: 'close' }).end(`${sentence}\n`);
}

function chosen(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
}
