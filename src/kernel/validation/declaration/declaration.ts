import type { TypeShape } from './field-types';

/** Distinguishes `@Field` from other decorators in class-validator's metadata storage. */
export const FIELD_RULE = 'field';

/** Where "Try it out" of Swagger UI finds a value for a parameter: in the response to a GET with the caller's key. */
export interface ExampleSource {
  /** Its path; `{name}` stands for the example of another parameter of the same operation. */
  readonly get: string;
  /** The property of the response that lists candidates, `''` if the response is the list; without it, the response is the only one. */
  readonly list?: string;
  /** The property of a candidate that is the value. */
  readonly value: string;
  /** Properties of the candidate that is preferred to the first. */
  readonly prefer?: Readonly<Record<string, string>>;
  /** A response whose `id` is no candidate: what the caller is using or is. */
  readonly notIdOf?: string;
  /** The list begins with the oldest. */
  readonly oldestFirst?: true;
  /** The hint where there is no candidate. */
  readonly none: string;
}

/** Options of a field in addition to its type. */
export interface FieldOptions {
  /** For the OpenAPI document. */
  readonly description?: string;
  /** For the OpenAPI document: a value in its JSON form. */
  readonly example?: unknown;
  /** For Swagger UI: the source of the caller's own value for a parameter. */
  readonly exampleFrom?: ExampleSource;
  /** JSON `null` is a value of this field. */
  readonly nullable?: boolean;
  /** The field may be absent, and then is `undefined`; not needed where the class has an initializer. */
  readonly optional?: boolean;
  /** The field may be absent where this other one is not. */
  readonly optionalBeside?: string;
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
