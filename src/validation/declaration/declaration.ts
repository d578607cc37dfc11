import type { TypeShape } from './field-types';

/** How class-validator's metadata storage knows our declarations from other decorators. */
export const FIELD_RULE = 'field';

/** What is said of a field beside its type. */
export interface FieldOptions {
  /** For the OpenAPI document. */
  readonly description?: string;
  /** For the OpenAPI document: a value as it stands in JSON. */
  readonly example?: unknown;
  /** JSON `null` is a value of this field. */
  readonly nullable?: boolean;
  /** The field may be absent, and then is `undefined`; not needed where the class has an initializer. */
  readonly optional?: boolean;
}

/** One `@Field(...)`, as it is kept in class-validator's metadata storage. */
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
