import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { AgentServerUnavailableError } from '../../agent-server';
import { parseUuid } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { noteRoute, pendingUpgrade, type Shortcut } from '../../../kernel/http';
import { SandboxLifecycle, running } from '../../sandboxes';
import type { Admission } from '../admission/admission-memory';
import { DoorAdmission, hasCredential } from '../admission/door-admission';
import { DoorSandboxes } from '../admission/door-sandboxes';
import { type DoorTarget, doorTarget } from '../admission/door-target';
import { choosesModel } from '../admission/model-paths';
import { AgentServerRoutes } from '../connections/agent-server-routes';
import { OpenConnections } from '../connections/open-connections';
import { asksForHealth } from './health-question';
import { passHttp } from './http-passage';
import { ModelGatewayOnlyError, TransferCodingError } from '../sandbox-access.errors';
import { passedHeaders } from './request-headers';
import { type RequestIdentity, setIdentity } from '../../../kernel/auth';
import { rateLimitHeaders, type RateLimitStatus } from '../../../kernel/request-limits';

/** A request through the door, and what is known about it so far. */
class DoorRequest {
  /** Where its caller stands in the door's bucket; null where that has no limit, or while it is unknown. */
  standing: RateLimitStatus | null = null;
  /** Null while it is unknown. */
  identity: RequestIdentity | null = null;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly target: DoorTarget,
  ) {}

  /** Passes the identity on to those that answer or log the request. */
  handOver(): void {
    const { request, response, identity, standing } = this;
    if (identity !== null) setIdentity(request, identity);
    if (standing === null || response.headersSent) return;
    for (const [name, value] of Object.entries(rateLimitHeaders(standing))) response.setHeader(name, value);
  }
}

/** Forwarded methods; any other is a 405. */
export const DOOR_METHODS: readonly string[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** The route label in metrics, in the form that Express routes have. */
const DOOR_ROUTE = '/api/v1/sandboxes/:sandbox_id/agent-server/*path';

/** Reading does not keep a sandbox from being paused: a page left open polls forever. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Called once with the reason why a request could not be forwarded; null for one that was answered. */
type Ended = (error: Error | null) => void;

/** Passes requests to agent servers (docs/sandboxes.md#the-door). */
@Injectable()
export class HttpDoor {
  /** Why requests could not be forwarded; Express turns these into error responses. */
  private readonly failures = new WeakMap<IncomingMessage, unknown>();

  constructor(
    private readonly admission: DoorAdmission,
    private readonly sandboxes: DoorSandboxes,
    private readonly connections: OpenConnections,
    private readonly routes: AgentServerRoutes,
    private readonly lifecycle: SandboxLifecycle,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Forwards requests without Express, which would cost more than all the rest
   * (docs/decisions/0029-one-door-to-every-sandbox.md). What cannot be forwarded, or fails, goes through Express.
   */
  readonly shortcut: Shortcut = (request, response, next) => {
    const target = this.targetOf(request);
    if (target === null) return false;
    noteRoute(request, DOOR_ROUTE);
    const doorRequest = new DoorRequest(request, response, target);
    this.pass(doorRequest, (error) => {
      doorRequest.handOver();
      if (error === null) return;
      this.failures.set(request, error);
      next();
    });
    return true;
  };

  /**
   * Forwards a request that went through Express because it comes from a page of a listed origin: its response gets the
   * CORS headers that the page needs, and is logged like any other.
   * @throws why it cannot be forwarded
   */
  passOrdinary(request: IncomingMessage, response: ServerResponse, target: DoorTarget): Promise<void> {
    const doorRequest = new DoorRequest(request, response, target);
    return new Promise((resolve, reject) => {
      this.pass(doorRequest, (error) => {
        doorRequest.handOver();
        if (error === null) resolve();
        else reject(error);
      });
    });
  }

  /** @throws why a request could not be forwarded */
  throwFailure(request: IncomingMessage): void {
    if (this.failures.has(request)) throw this.failures.get(request);
  }

  /** Null for a request that has to go through Express in any case. */
  private targetOf(request: IncomingMessage): DoorTarget | null {
    const { method = '', headers, url = '' } = request;
    if (!/\/agent-server/i.test(url)) return null;
    const lacksHost = headers.host === undefined && request.httpVersion === '1.1';
    if (!DOOR_METHODS.includes(method) || lacksHost || pendingUpgrade(request)) return null;
    const target = doorTarget(url);
    return target === null || (asksForHealth(method, target) && !hasCredential(headers)) ? null : target;
  }

  private pass(doorRequest: DoorRequest, ended: Ended): void {
    this.enter(doorRequest, ended).catch((error: unknown) =>
      ended(error instanceof Error ? error : new Error(String(error))),
    );
  }

  private async enter(doorRequest: DoorRequest, ended: Ended): Promise<void> {
    const admission = await this.admission.enter(doorRequest);
    if (doorRequest.response.destroyed) ended(null);
    else this.forward(doorRequest, admission, ended);
  }

  private forward(doorRequest: DoorRequest, admission: Admission, ended: Ended): void {
    const { request, response, target, standing } = doorRequest;
    const { sandbox } = admission;
    const { id: requestId } = request;
    assertCodingKnown(request);
    this.assertModelStays(request, target);
    const route = this.routes.of(sandbox.agentServer);
    const headers = passedHeaders(request, sandbox, requestId);
    const place = this.connections.take(admission, 'http');
    if (!READING.has(request.method ?? '')) this.lifecycle.touch(sandbox.id);
    const exchange = {
      request,
      response,
      place,
      route,
      headers,
      path: target.path + target.query,
      own: { requestId, standing },
      source: { sandbox, baseUrl: sandbox.agentServer.baseUrl, path: target.path },
      idleMs: this.settings.DOOR_IDLE_SECONDS * 1_000,
    };
    passHttp(exchange, (error) => {
      if (error === null) {
        if (response.statusCode >= 500) this.routes.retire(route);
        ended(null);
        return;
      }
      // It may just have been paused: then the caller gets that error.
      if (error instanceof AgentServerUnavailableError)
        this.assertRunning(target).then(() => ended(error), ended);
      else ended(error);
    });
  }

  /** @throws ModelGatewayOnlyError */
  private assertModelStays({ method = '' }: IncomingMessage, { path }: DoorTarget): void {
    if (this.settings.MODEL_GATEWAY === 'on' && choosesModel(method, path)) throw new ModelGatewayOnlyError();
  }

  private async assertRunning({ sandboxId }: DoorTarget): Promise<void> {
    running(await this.sandboxes.current(parseUuid(sandboxId) ?? ''));
  }
}

/** @throws TransferCodingError */
function assertCodingKnown({ headers }: IncomingMessage): void {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') throw new TransferCodingError();
}
