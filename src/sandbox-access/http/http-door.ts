import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { AgentServerUnavailableError } from '../../agent-server';
import { parseUuid } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import {
  giveRequestId,
  keepFirstOwnHeaders,
  logResponse,
  Metrics,
  noteAddress,
  pendingUpgrade,
  type Shortcut,
} from '../../http';
import { rateLimitHeaders, type RateLimitStatus } from '../../request-limits';
import { SandboxLifecycle } from '../../sandboxes';
import { DoorAdmission, hasCredential } from '../admission/door-admission';
import { DoorSandboxes, running } from '../admission/door-sandboxes';
import { type DoorTarget, doorTarget } from '../admission/door-target';
import { AgentServerRoutes } from '../connections/agent-server-routes';
import { OpenConnections } from '../connections/open-connections';
import { ownHeaders } from './response-headers';
import { asksForHealth } from './health-question';
import { passHttp } from './http-passage';
import { passedHeaders } from './request-headers';

/** Forwarded methods; any other is a 405. */
export const DOOR_METHODS: readonly string[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** The route label in metrics, in the form that Express routes have. */
export const DOOR_ROUTE = '/api/v1/sandboxes/:sandbox_id/agent-server/*path';

/** Reading does not keep a sandbox from being paused: a page left open polls forever. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Forwards requests to agent servers (docs/sandboxes.md#the-door). */
@Injectable()
export class HttpDoor {
  /** Why requests could not be forwarded; the ordinary way turns these into error responses. */
  private readonly failures = new WeakMap<IncomingMessage, unknown>();

  constructor(
    private readonly admission: DoorAdmission,
    private readonly sandboxes: DoorSandboxes,
    private readonly connections: OpenConnections,
    private readonly routes: AgentServerRoutes,
    private readonly lifecycle: SandboxLifecycle,
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Forwards requests without Express, which would cost more than all the rest
   * (docs/decisions/0029-one-door-to-every-sandbox.md). What cannot be forwarded, or fails, goes the ordinary way.
   */
  readonly shortcut: Shortcut = (request, response, onTheOrdinaryWay) => {
    const target = this.targetOf(request);
    if (target === null) return false;
    const beganAt = performance.now();
    noteAddress(request, this.settings.TRUSTED_HOPS);
    keepFirstOwnHeaders(request);
    this.pass(request, response, target).then(
      () => this.recordResponse(request, response, performance.now() - beganAt),
      (error: unknown) => {
        this.failures.set(request, error);
        onTheOrdinaryWay();
      },
    );
    return true;
  };

  /**
   * Forwards a request that went through Express because it comes from a page of a listed origin: its response gets the
   * CORS headers that the page needs, and is logged like any other.
   * @throws why it cannot be forwarded
   */
  passOrdinary(request: IncomingMessage, response: ServerResponse, target: DoorTarget): Promise<void> {
    return this.pass(request, response, target);
  }

  /** @throws why a request could not be forwarded */
  throwFailure(request: IncomingMessage): void {
    if (this.failures.has(request)) throw this.failures.get(request);
  }

  /** Null for a request that has to go the ordinary way in any case. */
  private targetOf(request: IncomingMessage): DoorTarget | null {
    const { method = '', headers, url = '' } = request;
    if (!/\/agent-server/i.test(url)) return null;
    const lacksHost = headers.host === undefined && request.httpVersion === '1.1';
    if (!DOOR_METHODS.includes(method) || lacksHost || pendingUpgrade(request)) return null;
    const target = doorTarget(url);
    return target === null || (asksForHealth(method, target) && !hasCredential(headers)) ? null : target;
  }

  private async pass(request: IncomingMessage, response: ServerResponse, target: DoorTarget): Promise<void> {
    const id = giveRequestId(request);
    let standing: RateLimitStatus | null = null;
    try {
      const admission = await this.admission.enter(request, target, (known) => (standing = known));
      if (response.destroyed) return;
      const { sandbox } = admission;
      const place = this.connections.take(admission, 'http');
      const route = this.routes.of(sandbox.agentServer);
      if (!READING.has(request.method ?? '')) this.lifecycle.touch(sandbox.id);
      await passHttp({
        ...{ request, response, place, route },
        path: target.path + target.query,
        headers: passedHeaders(request, sandbox, id),
        ownHeaders: ownHeaders(id, standing),
        source: { sandbox, baseUrl: sandbox.agentServer.baseUrl, path: target.path },
        idleMs: this.settings.DOOR_IDLE_SECONDS * 1_000,
      });
      if (response.statusCode >= 500) this.routes.retire(route);
    } catch (error) {
      setStanding(response, standing);
      // It may just have been paused: then that is the caller's error.
      if (error instanceof AgentServerUnavailableError) await this.assertRunning(target);
      throw error;
    }
  }

  private async assertRunning({ sandboxId }: DoorTarget): Promise<void> {
    running(await this.sandboxes.current(parseUuid(sandboxId) ?? ''));
  }

  private recordResponse(request: IncomingMessage, response: ServerResponse, milliseconds: number): void {
    const labels = { method: request.method ?? '', route: DOOR_ROUTE, status: response.statusCode };
    this.metrics.observed(labels, milliseconds / 1_000);
    logResponse(request, response, milliseconds);
  }
}

function setStanding(response: ServerResponse, standing: RateLimitStatus | null): void {
  if (standing === null || response.headersSent) return;
  for (const [name, value] of Object.entries(rateLimitHeaders(standing))) response.setHeader(name, value);
}
