import type { IncomingHttpHeaders } from 'node:http';
import { AuthCaches, type KeyHolder, type RequestIdentity } from '../../auth';
import { Clock } from '../../common';
import type { Admission } from './admission';
import { DoorSandboxes } from './door-sandboxes';
import type { DoorTarget } from './door-target';
/** Who was admitted, and to which sandbox. */
export interface Passed {
    readonly holder: KeyHolder;
    readonly identity: RequestIdentity;
    readonly admission: Admission;
}
/**
 * Remembers recent admissions. The requests of a burst all carry the same credentials, and checking them each time
 * takes longer than forwarding the request.
 */
export declare class AdmissionMemory {
    private readonly caches;
    private readonly sandboxes;
    private readonly clock;
    private readonly entries;
    constructor(caches: AuthCaches, sandboxes: DoorSandboxes, clock: Clock);
    /** Undefined unless the same headers were admitted to the same sandbox and nothing has changed since. */
    find(headers: IncomingHttpHeaders, target: DoorTarget): Passed | undefined;
    /**
     * Starts an admission check; the returned function remembers its result, unless it depended on the path or on who is
     * signed in in the browser, or took too long.
     */
    begin(headers: IncomingHttpHeaders, target: DoorTarget): (passed: Passed) => void;
    /** Changes with every change that this replica makes to keys, members or sandboxes. */
    private get generation();
}
