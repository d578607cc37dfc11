import { type NestMiddleware } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HealthQuestion } from './http/health-question';
import { HttpDoor } from './http/http-door';
import { SocketDoor } from './sockets/socket-door';
/**
 * Handles requests to `/api/v1/sandboxes/{sandbox_id}/agent-server` that take the ordinary way through Express:
 * WebSockets, health checks, and what could not be forwarded. Not a controller, because nothing may read the body of
 * such a request.
 */
export declare class DoorMiddleware implements NestMiddleware {
    private readonly http;
    private readonly health;
    private readonly sockets;
    constructor(http: HttpDoor, health: HealthQuestion, sockets: SocketDoor);
    use(request: Request, response: Response): Promise<void>;
}
