import { ValidateBy } from 'class-validator/cjs/decorator/common/ValidateBy';
import { FIELD_RULE, FieldDeclaration, type FieldOptions } from './declaration';
import type { FieldType } from './field-types';
import { describeFieldsOf } from './openapi-fields';

type NullOf<O> = O extends { readonly nullable: true } ? null : never;

/** `unknown` where a property can hold the value (or its form in a response), else `never`. */
type Fits<V, W, O, Declared> = V | NullOf<O> extends Declared
  ? unknown
  : W | NullOf<O> extends Declared
    ? unknown
    : never;

/**
 * Declares a field of a request or a response: its check, its type and its OpenAPI schema.
 * The property's TypeScript type has to be able to hold what the declared type yields.
 */
export function Field<V, W, const O extends FieldOptions = FieldOptions>(
  type: FieldType<V, W>,
  options?: O,
): <C extends object, K extends string & keyof C>(target: C, key: K & Fits<V, W, O, C[K]>) => void {
  const declaration = new FieldDeclaration(type.shape, options ?? {});
  const register = ValidateBy({
    name: FIELD_RULE,
    constraints: [declaration],
    // A request is checked as it was sent, before there is an instance; see RequestPlan.
    validator: { validate: () => true },
  });
  return (target, key) => {
    register(target, key);
    describeFieldsOf(target);
  };
}
