import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { Request, Response } from 'express';
import { MethodNotAllowedError, pendingUpgrade } from '../../kernel/http';
import { doorTarget } from './admission/door-target';
import { asksForHealth, HealthQuestion } from './http/health-question';
import { DOOR_METHODS, HttpDoor } from './http/http-door';
import { PathNotPassableError } from './sandbox-access.errors';
import { SocketDoor } from './sockets/socket-door';

/**
 * Handles requests to `/api/v1/sandboxes/{sandbox_id}/agent-server` that go through Express:
 * WebSockets, health checks, and what could not be forwarded. Not a controller, because nothing may read the body of
 * such a request.
 */
@Injectable()
export class DoorMiddleware implements NestMiddleware {
  constructor(
    private readonly http: HttpDoor,
    private readonly health: HealthQuestion,
    private readonly sockets: SocketDoor,
  ) {}

  async use(request: Request, response: Response): Promise<void> {
    this.http.throwFailure(request);
    if (!DOOR_METHODS.includes(request.method)) throw new MethodNotAllowedError(DOOR_METHODS);
    const target = doorTarget(request.originalUrl);
    if (target === null) throw new PathNotPassableError();
    if (pendingUpgrade(request)) await this.sockets.answer(request, response, target);
    else if (asksForHealth(request.method, target)) await this.health.answer(request, response, target);
    else await this.http.passOrdinary(request, response, target);
  }
}
