import type { Request } from 'express';
import { readBody } from '../body/read-body';
import { NotAFormError } from '../errors/http.errors';

const LIMIT_BYTES = 16 * 1024;

/**
 * Reads a form as browsers send it; of a field that comes twice, the first counts.
 * @throws NotAFormError, BodyTooLargeError, BodyIncompleteError
 */
export async function readForm(request: Request): Promise<(field: string) => string> {
  if (request.is('application/x-www-form-urlencoded') === false) throw new NotAFormError();
  const fields = new URLSearchParams((await readBody(request, LIMIT_BYTES)).toString('utf8'));
  return (field) => fields.get(field) ?? '';
}
