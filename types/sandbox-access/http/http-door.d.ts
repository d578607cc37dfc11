import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Settings } from '../../config';
import { Metrics, type Shortcut } from '../../http';
import { SandboxLifecycle } from '../../sandboxes';
import { DoorAdmission } from '../admission/door-admission';
import { DoorSandboxes } from '../admission/door-sandboxes';
import { type DoorTarget } from '../admission/door-target';
import { AgentServerRoutes } from '../connections/agent-server-routes';
import { OpenConnections } from '../connections/open-connections';
/** Forwarded methods; any other is a 405. */
export declare const DOOR_METHODS: readonly string[];
/** The route label in metrics, in the form that Express routes have. */
export declare const DOOR_ROUTE = "/api/v1/sandboxes/:sandbox_id/agent-server/*path";
/** Passes requests to agent servers (docs/sandboxes.md#the-door). */
export declare class HttpDoor {
    private readonly admission;
    private readonly sandboxes;
    private readonly connections;
    private readonly routes;
    private readonly lifecycle;
    private readonly metrics;
    private readonly settings;
    /** Why requests could not be forwarded; the ordinary way turns these into error responses. */
    private readonly failures;
    constructor(admission: DoorAdmission, sandboxes: DoorSandboxes, connections: OpenConnections, routes: AgentServerRoutes, lifecycle: SandboxLifecycle, metrics: Metrics, settings: Settings);
    /**
     * Forwards requests without Express, which would cost more than all the rest
     * (docs/decisions/0029-one-door-to-every-sandbox.md). What cannot be forwarded, or fails, goes the ordinary way.
     */
    readonly shortcut: Shortcut;
    /**
     * Forwards a request that went through Express because it comes from a page of a listed origin: its response gets the
     * CORS headers that the page needs, and is logged like any other.
     * @throws why it cannot be forwarded
     */
    passOrdinary(request: IncomingMessage, response: ServerResponse, target: DoorTarget): Promise<void>;
    /** @throws why a request could not be forwarded */
    throwFailure(request: IncomingMessage): void;
    /** Null for a request that has to go the ordinary way in any case. */
    private targetOf;
    private pass;
    private enter;
    private forward;
    private assertRunning;
    private noteAnswer;
}
