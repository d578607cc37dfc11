import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { Request, Response } from 'express';
import { MethodNotAllowedError, pendingUpgrade } from '../http';
import { doorTarget } from './admission/door-target';
import { DOOR_METHODS } from './door-operations';
import { HttpDoor } from './http/http-door';
import { PathNotPassableError } from './sandbox-access.errors';
import { SocketDoor } from './sockets/socket-door';

/**
 * What answers below `/api/v1/sandboxes/{sandbox_id}/agent-server`. No controller, because nothing may read the body of
 * such a request; what all requests pass through before (ids, log, metrics) and when they fail holds for these too.
 */
@Injectable()
export class DoorMiddleware implements NestMiddleware {
  constructor(
    private readonly http: HttpDoor,
    private readonly sockets: SocketDoor,
  ) {}

  async use(request: Request, response: Response): Promise<void> {
    if (!DOOR_METHODS.includes(request.method)) throw new MethodNotAllowedError(DOOR_METHODS);
    const target = doorTarget(request.originalUrl);
    if (target === null) throw new PathNotPassableError();
    await (pendingUpgrade(request) ? this.sockets : this.http).pass(request, response, target);
  }
}
