import { createServer, IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';
import { Logger } from '@nestjs/common';
// Its index loads what receives uploads, too: 40 files that nothing here needs.
import { ExpressAdapter } from '@nestjs/platform-express/adapters';
import { noteAddress } from '../../auth';
import { inRequest } from '../../telemetry';
import type { AppError } from '../../common';
import { InternalError, MalformedRequestError, UnknownPathError } from '../errors/http.errors';
import { repairPercentEncoding } from '../request/percent-encoding';
import { keepFirstOwnHeaders } from '../request/repeated-headers';
import { giveRequestId } from '../request/request-id';
import { SECURITY_HEADERS } from '../request/security-headers';
import { respondJson } from './json-response';
import { inRequestSpan } from '../server/request-span';
import { RouteSelection } from './route-selection';

/** Node's default time for a whole request. */
const REQUEST_MS = 300_000;
/** Headers may take longer than an idle connection lives, so that the two never race for it. */
const HEADERS_MARGIN_MS = 5_000;

/**
 * Answers requests before Express does.
 * @param next has Express answer the request after all
 * @returns false for requests that are not for it
 */
export type Shortcut = (request: IncomingMessage, response: ServerResponse, next: () => void) => boolean;

type ServerClasses = Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;

/** What an adapter is made with. */
interface AdapterOptions {
  /** How long an idle connection is kept; longer than a load balancer in front keeps it. */
  readonly keepAliveSeconds: number;
  /** Reverse proxies in front of the service. */
  readonly trustedHops: number;
  /** Attributes of the spans of requests, by the parameters of paths that they are. */
  readonly tracedIds: Readonly<Record<string, string>>;
}

/**
 * Express on an HTTP server with the settings of the service. What every request needs, whoever answers it, is done here once,
 * in front of Express, where a function costs a call: as its middleware each would be matched, wrapped and traced.
 */
export class ServiceAdapter extends ExpressAdapter {
  private shortcut: Shortcut = () => false;
  private observe: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  private readonly log = new Logger('Http');
  private selection: RouteSelection | undefined;

  constructor(private readonly how: AdapterOptions) {
    super();
  }

  override initHttpServer(): void {
    const keepAliveTimeout = this.how.keepAliveSeconds * 1_000;
    const headersTimeout = keepAliveTimeout + HEADERS_MARGIN_MS;
    const options = {
      keepAliveTimeout,
      headersTimeout,
      requestTimeout: Math.max(REQUEST_MS, headersTimeout),
      // Checked here, with a response that has a body and a request id.
      requireHostHeader: false,
      ...classesOf(this.getInstance<Express>()),
    };
    this.httpServer = createServer(options, (request, response) => this.receive(request, response));
  }

  /** Sets a handler that bypasses Express, and its cost, and does everything that these requests need. */
  take(shortcut: Shortcut): void {
    this.shortcut = shortcut;
  }

  /** Sets what is told of every request as it comes. */
  observeBy(observe: (request: IncomingMessage, response: ServerResponse) => void): void {
    this.observe = observe;
  }

  /** Answers with what a handler returns. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    return respondJson(response, body, statusCode) ? response : super.reply(response, body, statusCode);
  }

  /** Stops listening, and ends connections that idle: clients would keep them for longer than a stop may take. */
  override close(): Promise<unknown> | undefined {
    const closed = super.close();
    this.httpServer.closeAllConnections();
    return closed;
  }

  private receive(request: IncomingMessage, response: ServerResponse): void {
    keepFirstOwnHeaders(request);
    const requestId = giveRequestId(request);
    noteAddress(request, this.how.trustedHops);
    this.observe(request, response);
    inRequest(request, requestId, () =>
      inRequestSpan(request, response, this.how.tracedIds, () => {
        const next = (): void => this.route(request, response);
        if (!this.shortcut(request, response, next)) next();
      }),
    );
  }

  /** Has Express answer a request, by those of its routes that the path may be for. */
  private route(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('X-Request-Id', request.id);
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      refuse(response, new MalformedRequestError());
      return;
    }
    for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
    request.url = repairPercentEncoding(request.url ?? '/');
    const express = this.getInstance<Express>();
    this.selection ??= new RouteSelection(express.router);
    const [asked, answer] = ofExpress(express, request, response);
    this.selection.of(asked.url)(asked, answer, (error?: unknown) => this.answerFinally(response, error));
  }

  /** Nest answers everything, errors too; left is a target that is no URL, and what fails in answering an error. */
  private answerFinally(response: ServerResponse, error: unknown): void {
    const isTarget = error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_URL';
    const isUnknown = error === undefined || error === null || isTarget;
    if (!isUnknown) this.log.error({ err: error }, 'A request could not be answered');
    if (response.headersSent) response.destroy();
    else refuse(response, isUnknown ? new UnknownPathError() : new InternalError());
  }
}

/** What the server makes requests and responses of: Express would change the prototype of each, which takes longer. */
function classesOf({ request, response }: Express): ServerClasses {
  class ServiceRequest extends IncomingMessage {}
  class ServiceResponse<Asked extends IncomingMessage> extends ServerResponse<Asked> {}
  Object.setPrototypeOf(ServiceRequest.prototype, request);
  Object.setPrototypeOf(ServiceResponse.prototype, response);
  return { IncomingMessage: ServiceRequest, ServerResponse: ServiceResponse };
}

/** Makes of Node's request and response those of Express. */
function ofExpress(
  { response: responses }: Express,
  request: IncomingMessage,
  response: ServerResponse,
): [Request, Response] {
  const asked = request as Request;
  // That to a WebSocket is made elsewhere.
  const answer = (
    responses.isPrototypeOf(response) ? response : Object.setPrototypeOf(response, responses)
  ) as Response;
  asked.res = answer;
  answer.locals = {};
  return [asked, answer];
}

/** Refuses what no route is to see, or has seen. */
function refuse(response: ServerResponse, error: AppError): void {
  const text = JSON.stringify(error.toBody());
  response.statusCode = error.status;
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text)).end(text);
}
