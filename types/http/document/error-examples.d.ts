import type { AppError } from '../../common';
/** A response as Swagger UI shows it in the list of an operation's examples. */
export interface ErrorExample {
    readonly value: unknown;
}
/** The body of an error, by its code. */
export declare function exampleOf(error: AppError): [code: string, example: ErrorExample];
/** Whether a response lists faults of the request, instead of one error. */
export declare function isFaultList({ value }: ErrorExample): boolean;
