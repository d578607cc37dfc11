import { getMetadataStorage } from 'class-validator';
import { FIELD_RULE, FieldDeclaration } from './declaration';
import type { Model, TypeShape } from './field-types';

/** A field of a class, with all that was declared about it put together. */
export interface DeclaredField {
  readonly name: string;
  readonly type: TypeShape;
  readonly nullable: boolean;
  /** Absent is a fault. */
  readonly required: boolean;
  /** What the class's initializer gives, or undefined. */
  readonly default: unknown;
  readonly description: string | undefined;
  readonly example: unknown;
}

const known = new WeakMap<Model, readonly DeclaredField[]>();

/** The fields of a class in the order of their declaration, those of the classes it extends first. */
export function declaredFields(model: Model): readonly DeclaredField[] {
  let fields = known.get(model);
  if (!fields) {
    fields = readFields(model);
    known.set(model, fields);
  }
  return fields;
}

function readFields(model: Model): readonly DeclaredField[] {
  const initial = new Map<string, unknown>(Object.entries(new model()));
  const declarations = new Map<string, FieldDeclaration>();
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(model, '', true, false)) {
    const [declaration] = Array.from<unknown>(rule.constraints);
    if (rule.name === FIELD_RULE && declaration instanceof FieldDeclaration) {
      declarations.set(rule.propertyName, declaration);
    }
  }
  return [...declarations].map(([name, { type, options }]) => ({
    name,
    type,
    nullable: options.nullable ?? false,
    required: !(options.optional ?? false) && initial.get(name) === undefined,
    default: initial.get(name),
    description: options.description,
    example: options.example,
  }));
}
