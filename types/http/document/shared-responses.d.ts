import type { OpenAPIObject } from '@nestjs/swagger';
import type { AppError } from '../../common';
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
/** Errors that one condition makes possible: a sentence for each status, and an example of every code. */
export interface SharedResponses {
    readonly responses: Readonly<Record<number, string>>;
    readonly errors: readonly AppError[];
}
/**
 * The errors that operations of a kind share, by what the document says of an operation.
 * @param allowed the methods of its path
 */
export declare function sharedResponses(operation: Operation, allowed: readonly string[]): SharedResponses[];
export declare function isClosed({ security }: Operation): boolean;
