import { checkOf } from '../checks/compile';
import { list, model, type Model, type TypeShape } from '../declaration/field-types';
import { Cursor } from '../errors/cursor';
import { ValidationError } from '../errors/validation.errors';

/**
 * Checks what code gives as the body of a request would be checked, with its limits and defaults.
 * @param given its points in time may be `Date`s
 * @throws ValidationError with all errors
 */
export function checkGiven<T extends object>(of: Model<T>, given: object): T {
  const entries = Object.entries(given).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  const checked = checkBody(model(() => of).shape, Object.fromEntries(entries));
  if (checked instanceof of) return checked;
  throw new Error('A checked object is of its class.');
}

/** As {@link checkGiven}, of a list of so many at most. */
export function checkGivenList<T extends object>(of: Model<T>, given: readonly object[], max: number): T[] {
  const type = list(
    model(() => of),
    { max },
  );
  const checked = checkBody(type.shape, given);
  return Array.isArray(checked) ? checked.filter((item): item is T => item instanceof of) : [];
}

function checkBody(type: TypeShape, given: unknown): unknown {
  const at = new Cursor(false, false);
  const checked = at.into('body', checkOf(type), given);
  if (at.issues.length > 0) throw new ValidationError(at.issues);
  return checked;
}
