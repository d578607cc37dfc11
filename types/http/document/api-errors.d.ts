import type { AppError } from '../../common';
/**
 * Documents errors of an operation beyond those every operation of its kind has. What several decorators say
 * of one status is put together.
 * @param responses status to the sentence that says when it is answered
 * @param errors an example of every code, of one of these statuses
 */
export declare function ApiErrors(responses: Readonly<Record<number, string>>, ...errors: readonly AppError[]): MethodDecorator;
