import { type RateLimitStatus } from '../../request-limits';
import { type SandboxView } from '../../sandboxes';
type Received = Readonly<Record<string, string | readonly string[] | undefined>>;
/** The agent server a response comes from, and the path requested there. */
export interface ResponseSource {
    readonly sandbox: Pick<SandboxView, 'id'>;
    readonly baseUrl: string;
    /** Below `baseUrl`. */
    readonly path: string;
}
/** What the service says of an answer by itself. */
export interface OwnResponse {
    readonly requestId: string;
    /** Where the caller stands in the door's bucket; null where that has no limit. */
    readonly standing: RateLimitStatus | null;
}
/**
 * The headers of an answer: the service's own, and those of the agent server that go on to the caller.
 * @returns names and values in turn
 */
export declare function responseHeaders({ requestId, standing }: OwnResponse, received: Received, source: ResponseSource): string[];
export {};
