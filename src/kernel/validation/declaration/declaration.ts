import type { TypeShape } from './field-types';

/** Distinguishes `@Field` from other decorators in class-validator's metadata storage. */
export const FIELD_RULE = 'field';

/** Options of a field in addition to its type. */
export interface FieldOptions {
  /** For the OpenAPI document. */
  readonly description?: string;
  /** For the OpenAPI document: a value in its JSON form. */
  readonly example?: unknown;
  /** JSON `null` is a value of this field. */
  readonly nullable?: boolean;
  /** The field may be absent, and then is `undefined`; not needed where the class has an initializer. */
  readonly optional?: boolean;
  /** An empty text counts as absent, as forms send it; in an object's fields. */
  readonly emptyIsAbsent?: boolean;
}

/** One `@Field(...)`, as stored in class-validator's metadata storage. */
export class FieldDeclaration {
  constructor(
    readonly type: TypeShape,
    readonly options: FieldOptions,
  ) {}
}

const forbidding = new WeakSet<object>();

/** The class refuses keys it does not declare (`extra_forbidden`); without it they are ignored. */
export function ForbidExtraKeys(): ClassDecorator {
  return (target) => {
    forbidding.add(target);
  };
}

/** @returns whether the class, or one it extends, refuses keys it does not declare */
export function forbidsExtraKeys(model: object): boolean {
  for (let type: unknown = model; typeof type === 'function'; type = Object.getPrototypeOf(type)) {
    if (forbidding.has(type)) return true;
  }
  return false;
}
