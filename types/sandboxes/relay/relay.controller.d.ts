import type { Response } from 'express';
import { type Caller } from '../../auth';
import { RelayedCall } from './relay.dto';
import { SandboxRelay } from './sandbox-relay';
export declare class RelayController {
    private readonly calls;
    constructor(calls: SandboxRelay);
    relayCall(caller: Caller, body: RelayedCall, clientAbort: AbortSignal, response: Response): Promise<void>;
}
