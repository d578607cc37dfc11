import type { Params } from 'nestjs-pino';
import type { DestinationStream } from 'pino';
import { type RequestIdentity } from '../../auth';
/**
 * How the service logs: one line per request without its query (links carry tokens there) and
 * without its headers (they carry keys), but with who made it (docs/operations.md#log).
 * @param stream where it goes; standard output where it is left out
 */
export declare function loggingOptions(level: string, stream?: DestinationStream): Params;
/** Who made a request, as it is logged. */
interface LoggedCaller {
    readonly sandbox?: string | null;
    readonly user?: string | null;
    readonly organization?: string | null;
    readonly keyId?: number;
}
/** The ids of who made a request and of the organization it acted in. */
export declare function callerOf({ caller, sandbox, org }: RequestIdentity): LoggedCaller;
export {};
