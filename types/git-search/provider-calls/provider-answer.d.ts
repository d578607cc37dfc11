import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
/** An answer of a provider that is of use. */
export interface ProviderAnswer {
    readonly headers: IncomingHttpHeaders;
    readonly body: unknown;
}
/**
 * Tells what a status means for a search.
 * @returns whether there is an answer to read; false for what does not exist
 * @throws GitCredentialRefusedError, GitProviderUnavailableError, GitProviderFailedError
 */
export declare function isFound(status: number, headers: IncomingHttpHeaders): boolean;
/**
 * Reads the body of an answer.
 * @throws GitProviderFailedError when it is not of this shape
 */
export declare function read<T>(shape: z.ZodType<T>, { body }: ProviderAnswer): T;
/** The page that the `Link` header of an answer says comes next; null on the last one. */
export declare function nextPage({ headers }: ProviderAnswer): string | null;
