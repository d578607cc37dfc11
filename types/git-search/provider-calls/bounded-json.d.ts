import type { Readable } from 'node:stream';
/**
 * Reads the JSON of an answer.
 * @throws GitProviderFailedError for more than is read, and for anything else than JSON
 */
export declare function boundedJson(body: Readable): Promise<unknown>;
