/**
 * Checks DTOs that are declared with class-validator's own decorators, as authors of extensions know them, like
 * those declared with `@Field`. Nest's `ValidationPipe` cannot replace this: it is given one argument of the handler at
 * a time, already parsed, so that it answers the errors of the body or of the path but never both, and its errors
 * have neither the `type`, `loc` and `input` nor the order that the contract promises
 * (docs/decisions/0008-validation-of-our-own.md). `examples/enterprise-extension` declares DTOs this way.
 */
import { plainToInstance } from 'class-transformer';
import type { MetadataStorage, ValidationArguments } from 'class-validator';
import { getMetadataStorage } from 'class-validator/cjs/metadata/MetadataStorage';
import { isRecord } from '../../common';
import type { Bounds, Model, TypeShape, ValueRule } from './field-types';
import * as types from './field-types';

/** A rule as a decorator of class-validator leaves it in its storage. */
export type StoredRule = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];

/** Rules that determine the type of a value; all others constrain it further. */
const TYPES: Readonly<Record<string, (rule: StoredRule) => TypeShape>> = {
  isString: () => types.string().shape,
  isBoolean: () => types.boolean().shape,
  isInt: () => types.integer().shape,
  isNumber: () => types.number().shape,
  isUuid: () => types.uuid().shape,
  isEmail: () => types.email().shape,
  isDate: () => types.dateTime().shape,
  isObject: () => types.dictionary().shape,
  isIn: (rule) => types.oneOf(textsOf(rule, 0)).shape,
  isEnum: (rule) => types.oneOf(textsOf(rule, 1)).shape,
};

/** Rules that are part of a type's own limits. */
const LIMITS = new Set([
  'min',
  'max',
  'isPositive',
  'isNegative',
  'minLength',
  'maxLength',
  'isLength',
  'arrayMinSize',
  'arrayMaxSize',
  'arrayNotEmpty',
  'isArray',
  'isOptional',
  'isDefined',
]);

/**
 * The type that class-validator's own decorators of a property declare, as one of our types. What has no
 * counterpart, custom validators included, is run unchanged and reported as a `value_error`.
 */
export function typeOfRules(model: Model, property: string, rules: readonly StoredRule[]): TypeShape {
  const prototype: unknown = model.prototype;
  const design: unknown = isRecord(prototype)
    ? Reflect.getMetadata('design:type', prototype, property)
    : null;
  const own = rules.filter(({ each }) => !each);
  const ofItems = rules.filter(({ each }) => each);
  const isList =
    design === Array || ofItems.length > 0 || own.some(({ name }) => name?.startsWith('array') === true);
  if (!isList) return typeOfValue(model, property, rules, design);
  const nested = own.filter(({ type }) => type === 'nestedValidation');
  const item = typeOfValue(model, property, [...ofItems, ...nested], undefined);
  const min = numberOf(own, 'arrayMinSize') ?? (has(own, 'arrayNotEmpty') ? 1 : 0);
  const shape: TypeShape = { kind: 'list', item, min, max: numberOf(own, 'arrayMaxSize') ?? Infinity };
  return withRules(model, property, shape, own);
}

/** The type, together with those rules that are not part of it. */
export function withRules(
  model: Model,
  property: string,
  type: TypeShape,
  rules: readonly StoredRule[],
): TypeShape {
  const others = rules
    .filter((rule) => rule.type === 'customValidation' && !isPartOfType(rule))
    .map((rule) => valueRule(model, property, rule));
  return others.length === 0 ? type : { kind: 'ruled', type, rules: others };
}

function isPartOfType({ name }: StoredRule): boolean {
  return name !== undefined && (name in TYPES || LIMITS.has(name));
}

function typeOfValue(
  model: Model,
  property: string,
  rules: readonly StoredRule[],
  design: unknown,
): TypeShape {
  const base = rules.some(({ type }) => type === 'nestedValidation')
    ? types.model(() => nestedModel(model, property)).shape
    : (rules.map((rule) => TYPES[rule.name ?? '']?.(rule)).find(Boolean) ?? typeOfDesign(design));
  return withRules(model, property, withLimits(base, rules), rules);
}

function typeOfDesign(design: unknown): TypeShape {
  if (design === String) return types.string().shape;
  if (design === Number) return types.number().shape;
  if (design === Boolean) return types.boolean().shape;
  if (design === Date) return types.dateTime().shape;
  return types.anything().shape;
}

function withLimits(type: TypeShape, rules: readonly StoredRule[]): TypeShape {
  if (type.kind === 'integer' || type.kind === 'number') return { ...type, bounds: boundsOf(rules) };
  if (type.kind !== 'string') return type;
  return {
    ...type,
    minLength: numberOf(rules, 'minLength') ?? numberOf(rules, 'isLength'),
    maxLength: numberOf(rules, 'maxLength') ?? numberOf(rules, 'isLength', 1),
  };
}

function boundsOf(rules: readonly StoredRule[]): Bounds {
  const ge = numberOf(rules, 'min');
  const le = numberOf(rules, 'max');
  return {
    ...(has(rules, 'isPositive') ? { gt: 0 } : {}),
    ...(ge === undefined ? {} : { ge }),
    ...(has(rules, 'isNegative') ? { lt: 0 } : {}),
    ...(le === undefined ? {} : { le }),
  };
}

/** `@Type(() => Class)` of class-transformer declares the class of a property; instantiating one reveals it. */
function nestedModel(model: Model, property: string): Model {
  for (const sample of [{}, [{}]]) {
    const made: unknown = Reflect.get(plainToInstance(model, { [property]: sample }), property);
    const instance: unknown = Array.isArray(made) ? made[0] : made;
    const type: unknown = isRecord(instance) ? instance.constructor : undefined;
    if (isModel(type) && type !== Object) return type;
  }
  throw new Error(`@ValidateNested() on ${model.name}.${property} needs @Type(() => Class).`);
}

function valueRule(model: Model, property: string, rule: StoredRule): ValueRule {
  const [constraint] = getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
  if (!constraint || constraint.async) {
    throw new Error(`${model.name}.${property} has a validator that is asynchronous.`);
  }
  const constraints: unknown[] = rule.constraints;
  const argumentsFor = (value: unknown): ValidationArguments => ({
    value,
    constraints,
    targetName: model.name,
    object: {},
    property,
  });
  return {
    errorFor(value) {
      if (constraint.instance.validate(value, argumentsFor(value)) === true) return null;
      const message =
        rule.message ||
        constraint.instance.defaultMessage?.bind(constraint.instance) ||
        '$property is not valid';
      return filled(
        typeof message === 'string' ? message : message(argumentsFor(value)),
        argumentsFor(value),
      );
    },
  };
}

/** class-validator's place holders. */
function filled(message: string, { property, constraints, targetName, value }: ValidationArguments): string {
  const given: readonly unknown[] = constraints;
  return message
    .replace(/\$constraint(\d+)/g, (_all, position: string) => String(given[Number(position) - 1]))
    .replaceAll('$value', String(value))
    .replaceAll('$property', property)
    .replaceAll('$target', targetName);
}

function has(rules: readonly StoredRule[], wanted: string): boolean {
  return rules.some(({ name }) => name === wanted);
}

function numberOf(rules: readonly StoredRule[], wanted: string, position = 0): number | undefined {
  const constraints: readonly unknown[] | undefined = rules.find(({ name }) => name === wanted)?.constraints;
  const value = constraints?.[position];
  return typeof value === 'number' ? value : undefined;
}

function textsOf(rule: StoredRule, position: number): string[] {
  const constraints: readonly unknown[] = rule.constraints;
  const values = constraints[position];
  return Array.isArray(values) ? values.map(String) : [];
}

function isModel(value: unknown): value is Model {
  return typeof value === 'function';
}
