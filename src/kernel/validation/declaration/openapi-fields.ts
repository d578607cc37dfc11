import { getSchemaPath } from '@nestjs/swagger';
import { declaredFields, type DeclaredField } from './declared-fields';
import type { Bounds, Model, TypeShape } from './field-types';

/** A JSON schema as OpenAPI 3.1 has it. */
type Schema = Readonly<Record<string, unknown>>;

/** The static function that @nestjs/swagger calls for properties of a class that are not decorated with `@ApiProperty`. */
const METADATA_FACTORY = '_OPENAPI_METADATA_FACTORY';

/** The member of a parameter that has its {@link ExampleSource}. */
export const EXAMPLE_FROM = 'x-example-from';

const described = new Set<Model>();

/**
 * Makes the declared fields of a class appear in the OpenAPI document. They are read when the document is
 * made: only then do defaults and classes named later in a file exist.
 * @param prototype of the class, as a property decorator receives it
 */
export function describeFieldsOf(prototype: object): void {
  const model: unknown = prototype.constructor;
  if (!isModel(model) || described.has(model)) return;
  described.add(model);
  Object.defineProperty(model, METADATA_FACTORY, {
    value(this: Model) {
      return Object.fromEntries(declaredFields(this).map((field) => [field.name, propertyOf(field)]));
    },
  });
}

/** The classes that other classes refer to, for `extraModels` of `SwaggerModule.createDocument`. */
export function referencedModels(): Model[] {
  const found = new Set<Model>();
  for (const model of described) collectFieldModels(model, found);
  return [...found];
}

/** The classes that the declared fields of a class refer to. */
export function fieldModels(model: Model): Model[] {
  const found = new Set<Model>();
  collectFieldModels(model, found);
  return [...found];
}

function collectFieldModels(model: Model, found: Set<Model>): void {
  for (const { type } of declaredFields(model)) collectModels(type, found);
}

/** The schema of a field by itself, default, example and description included. */
function propertyOf(field: DeclaredField): Schema {
  const schema = schemaOf(field.type);
  const variants = field.nullable ? [...variantsOf(schema), { type: 'null' }] : schema.anyOf;
  const body =
    variants !== undefined || schema.type === undefined
      ? // With an empty `type` @nestjs/swagger leaves the schema as it is, and drops the `type`.
        { type: '', anyOf: variants ?? [schema] }
      : schema;
  return {
    ...body,
    ...(field.type.kind === 'commaList' ? { style: 'form', explode: false } : {}),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.description === undefined ? {} : { description: field.description }),
    ...(field.example === undefined ? {} : { example: field.example }),
    ...(field.exampleFrom === undefined ? {} : { [EXAMPLE_FROM]: field.exampleFrom }),
    required: field.required,
  };
}

function variantsOf(schema: Schema): readonly unknown[] {
  return Array.isArray(schema.anyOf) ? Array.from<unknown>(schema.anyOf) : [schema];
}

/** The JSON schema of a type. */
function schemaOf(type: TypeShape): Schema {
  switch (type.kind) {
    case 'string':
      return {
        type: 'string',
        ...(type.minLength === undefined ? {} : { minLength: type.minLength }),
        ...(type.maxLength === undefined ? {} : { maxLength: type.maxLength }),
        ...(type.pattern === undefined ? {} : { pattern: type.pattern.source }),
      };
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
    case 'number':
      return { type: type.kind, ...boundsOf(type.bounds) };
    case 'uuid':
      return { type: 'string', format: 'uuid' };
    case 'dateTime':
      return { type: 'string', format: 'date-time' };
    case 'email':
      return { type: 'string', format: 'email' };
    case 'oneOf':
    case 'literal':
      return { type: 'string', enum: type.values };
    case 'model':
      return { $ref: getSchemaPath(type.model()) };
    case 'union':
      return { anyOf: type.models.map((of) => ({ $ref: getSchemaPath(of()) })) };
    case 'list':
      return {
        type: 'array',
        items: schemaOf(type.item),
        ...(type.min > 0 ? { minItems: type.min } : {}),
        ...(Number.isFinite(type.max) ? { maxItems: type.max } : {}),
      };
    case 'commaList':
      return { type: 'array', items: schemaOf(type.item) };
    case 'dictionary':
      return {
        type: 'object',
        additionalProperties: type.value.kind === 'anything' ? true : schemaOf(type.value),
        ...(Number.isFinite(type.max) ? { maxProperties: type.max } : {}),
      };
    case 'ruled':
      return schemaOf(type.type);
    case 'anything':
      return {};
  }
}

function boundsOf(bounds: Bounds): Schema {
  return {
    ...(bounds.gt === undefined ? {} : { exclusiveMinimum: bounds.gt }),
    ...(bounds.ge === undefined ? {} : { minimum: bounds.ge }),
    ...(bounds.lt === undefined ? {} : { exclusiveMaximum: bounds.lt }),
    ...(bounds.le === undefined ? {} : { maximum: bounds.le }),
  };
}

function collectModels(type: TypeShape, found: Set<Model>): void {
  switch (type.kind) {
    case 'model':
      found.add(type.model());
      return;
    case 'union':
      for (const of of type.models) found.add(of());
      return;
    case 'list':
    case 'commaList':
      collectModels(type.item, found);
      return;
    case 'dictionary':
      collectModels(type.value, found);
      return;
    case 'ruled':
      collectModels(type.type, found);
      return;
    default:
      return;
  }
}

function isModel(value: unknown): value is Model {
  return typeof value === 'function';
}
