import { declaredFields } from '../declaration/declared-fields';
import type { Model, TypeShape } from '../declaration/field-types';
import { isJsonObject } from '../json/exact-values';

/** Where in a body a field is: keys, and places in arrays. */
export type FieldPath = readonly (string | number)[];

/**
 * The fields of a value that its declared type does not have, at any depth. Of what is declared as `anything()`, and of
 * keys of the caller's choosing, all is read.
 * @param given the value as it was sent
 * @param read what the check of the type made of it: of a union, it says which class was taken
 */
export function* ignoredFields(
  type: TypeShape,
  given: unknown,
  read: unknown,
  at: FieldPath = [],
): Generator<FieldPath> {
  switch (type.kind) {
    case 'model':
      yield* ignoredIn(type.model(), given, read, at);
      break;
    case 'union':
      for (const model of type.models.map((of) => of()))
        if (read instanceof model) yield* ignoredIn(model, given, read, at);
      break;
    case 'list':
      if (Array.isArray(given) && Array.isArray(read))
        for (const [index, item] of given.entries())
          yield* ignoredFields(type.item, item, read[index], [...at, index]);
      break;
    case 'dictionary':
      if (isJsonObject(given) && isJsonObject(read))
        for (const [key, member] of Object.entries(given))
          yield* ignoredFields(type.value, member, read[key], [...at, key]);
      break;
    case 'ruled':
      yield* ignoredFields(type.type, given, read, at);
      break;
    default:
  }
}

function* ignoredIn(model: Model, given: unknown, read: unknown, at: FieldPath): Generator<FieldPath> {
  if (!isJsonObject(given) || !isJsonObject(read)) return;
  const declared = new Map(declaredFields(model).map(({ name, type }) => [name, type]));
  for (const [key, value] of Object.entries(given)) {
    const type = declared.get(key);
    if (type === undefined) yield [...at, key];
    else yield* ignoredFields(type, value, read[key], [...at, key]);
  }
}
