import { modelCheck } from '../checks/compile';
import type { Model } from '../declaration/field-types';
import { Cursor } from '../errors/cursor';
import { ValidationError } from '../errors/validation.errors';

/**
 * Checks what code gives as the body of a request would be checked, with its limits and defaults.
 * @param given its points in time may be `Date`s
 * @throws ValidationError with all faults
 */
export function checkGiven<T extends object>(model: Model<T>, given: object): T {
  const at = new Cursor(false, false);
  const entries = Object.entries(given).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  const checked = at.into('body', modelCheck(model), Object.fromEntries(entries));
  if (checked instanceof model && at.faults.length === 0) return checked;
  throw new ValidationError(at.faults);
}
