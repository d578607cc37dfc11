import { getMetadataStorage } from 'class-validator/cjs/metadata/MetadataStorage';
import { typeOfRules, withRules, type StoredRule } from './class-validator-types';
import { type ExampleSource, FIELD_RULE, FieldDeclaration } from './declaration';
import type { Model, TypeShape } from './field-types';

/** A field of a class, with everything declared about it. */
export interface DeclaredField {
  readonly name: string;
  readonly type: TypeShape;
  readonly nullable: boolean;
  /** Absent is an error. */
  readonly required: boolean;
  /** Absent is an error where this other field is absent, too. */
  readonly requiredWithout: string | undefined;
  /** The value of the class's initializer, or undefined. */
  readonly default: unknown;
  readonly emptyIsAbsent: boolean;
  readonly description: string | undefined;
  readonly example: unknown;
  readonly exampleFrom: ExampleSource | undefined;
}

const known = new WeakMap<Model, readonly DeclaredField[]>();

/** The fields of a class in the order of their declaration, those of the classes it extends first. */
export function declaredFields(model: Model): readonly DeclaredField[] {
  let fields = known.get(model);
  if (!fields) {
    const initial = new Map<string, unknown>(Object.entries(new model()));
    fields = [...rulesByProperty(model)].map(([name, rules]) =>
      fieldOf(model, name, rules, initial.get(name)),
    );
    known.set(model, fields);
  }
  return fields;
}

function fieldOf(model: Model, name: string, rules: readonly StoredRule[], initial: unknown): DeclaredField {
  const declaration = declarationAmong(rules);
  const others = rules.filter((rule) => rule.name !== FIELD_RULE);
  // class-validator's IsOptional takes null for absent.
  const isOptional = others.some((rule) => rule.name === 'isOptional');
  const options = declaration?.options ?? {};
  const { description, example, exampleFrom, nullable, optional, optionalBeside, emptyIsAbsent } = options;
  return {
    name,
    type: declaration ? withRules(model, name, declaration.type, others) : typeOfRules(model, name, others),
    nullable: nullable ?? isOptional,
    required: !(optional ?? isOptional) && optionalBeside === undefined && initial === undefined,
    requiredWithout: optionalBeside,
    default: initial,
    emptyIsAbsent: emptyIsAbsent === true,
    description,
    example,
    exampleFrom,
  };
}

/** All rules of a class, class-validator's own included; a subclass's rules for a field replace inherited ones. */
function rulesByProperty(model: Model): Map<string, StoredRule[]> {
  const byProperty = new Map<string, StoredRule[]>();
  for (const type of prototypeChain(model)) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
    for (const rule of rules.filter(({ target }) => target === type)) {
      const before = byProperty.get(rule.propertyName) ?? [];
      byProperty.set(rule.propertyName, [...before.filter(({ target }) => target === type), rule]);
    }
  }
  return byProperty;
}

/** A class after those it extends. */
function prototypeChain(model: object): Callable[] {
  const parent: unknown = Object.getPrototypeOf(model);
  const before = isCallable(parent) ? prototypeChain(parent) : [];
  return isCallable(model) ? [...before, model] : before;
}

type Callable = (...args: never[]) => unknown;

function isCallable(value: unknown): value is Callable {
  return typeof value === 'function';
}

function declarationAmong(rules: readonly StoredRule[]): FieldDeclaration | undefined {
  for (const rule of rules) {
    const constraints: readonly unknown[] = rule.name === FIELD_RULE ? rule.constraints : [];
    const [declaration] = constraints;
    if (declaration instanceof FieldDeclaration) return declaration;
  }
  return undefined;
}
