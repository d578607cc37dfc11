import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AgentServerUnavailableError } from '../../agent-server';
import { SETTINGS, type Settings } from '../../config';
import { rateLimitHeaders } from '../../request-limits';
import { SandboxLifecycle } from '../../sandboxes';
import { DoorAdmission } from '../admission/door-admission';
import { DoorSandboxes, running } from '../admission/door-sandboxes';
import type { DoorTarget } from '../admission/door-target';
import { AgentServerRoutes } from '../connections/agent-server-routes';
import { OpenConnections } from '../connections/open-connections';
import { HealthQuestion } from './health-question';
import { passHttp } from './http-passage';
import { passedHeaders } from './request-headers';

/** Reading does not keep a sandbox from being paused: a page that is left open reads for ever. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Passes requests to agent servers (docs/sandboxes.md#the-door). */
@Injectable()
export class HttpDoor {
  constructor(
    private readonly admission: DoorAdmission,
    private readonly sandboxes: DoorSandboxes,
    private readonly connections: OpenConnections,
    private readonly routes: AgentServerRoutes,
    private readonly lifecycle: SandboxLifecycle,
    private readonly health: HealthQuestion,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Passes a request on, and the answer back.
   * @throws what authenticating and admitting throw; TooManyDoorConnectionsError, TooManyDoorBytesError,
   *   ServiceStoppingError, AgentServerUnavailableError
   */
  async pass(request: Request, response: Response, target: DoorTarget): Promise<void> {
    if (this.health.isAsked(request, target)) {
      await this.health.answer(request, response, target);
      return;
    }
    const { holder, standing } = await this.admission.authenticate(request, request.headers);
    if (standing !== null) response.set(rateLimitHeaders(standing));
    const admission = await this.admission.admit(holder, target, request.get('x-org-id'));
    if (response.destroyed) return;
    const { sandbox } = admission;
    const place = this.connections.take(admission, 'http');
    const route = this.routes.of(sandbox.agentServer);
    if (!READING.has(request.method)) this.lifecycle.touch(sandbox.id);
    try {
      await passHttp({
        ...{ request, response, place, route },
        path: target.path + target.query,
        headers: passedHeaders(request, sandbox),
        source: { sandbox, baseUrl: sandbox.agentServer.baseUrl, path: target.path },
        idleMs: this.settings.DOOR_IDLE_SECONDS * 1_000,
      });
    } catch (error) {
      // It may just have been paused: then the caller gets that error.
      if (error instanceof AgentServerUnavailableError) running(await this.sandboxes.current(sandbox.id));
      throw error;
    }
    if (response.statusCode >= 500) this.routes.retire(route);
  }
}
