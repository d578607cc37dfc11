import type { Request, Response } from 'express';
import { SandboxLifecycle } from '../../sandboxes';
import { DoorAdmission } from '../admission/door-admission';
import { DoorSandboxes } from '../admission/door-sandboxes';
import type { DoorTarget } from '../admission/door-target';
import { AgentServerRoutes } from '../connections/agent-server-routes';
import { OpenConnections } from '../connections/open-connections';
import { UnknownCallers } from './unknown-callers';
/** Connects WebSockets to agent servers (docs/sandboxes.md#the-door). */
export declare class SocketDoor {
    private readonly admission;
    private readonly sandboxes;
    private readonly connections;
    private readonly routes;
    private readonly lifecycle;
    private readonly unknown;
    private readonly logger;
    constructor(admission: DoorAdmission, sandboxes: DoorSandboxes, connections: OpenConnections, routes: AgentServerRoutes, lifecycle: SandboxLifecycle, unknown: UnknownCallers);
    /**
     * Opens a WebSocket to an agent server for a request, and completes the handshake.
     * @throws as for any request through the door, and HandshakeMalformedError
     */
    answer(request: Request, response: Response, target: DoorTarget): Promise<void>;
    /** The request carried a credential: the agent server's reply to the handshake is passed on. */
    private openToKnown;
    /** The caller is signed in in a browser, or authenticates with the first message; errors become close codes. */
    private openToUnknown;
    private admitOpened;
    /** @param clientKey the key of the client's handshake, to be passed on; by default a new one is made */
    private reach;
    /** Keeps nothing of the request but its id: a WebSocket may be open for days. */
    private join;
    private whyEnded;
    private refuse;
}
