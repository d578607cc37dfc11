import type { Request } from 'express';
/**
 * Reads a form as browsers send it; of a field that comes twice, the first counts.
 * @throws NotAFormError, BodyTooLargeError, BodyIncompleteError
 */
export declare function readForm(request: Request): Promise<(field: string) => string>;
