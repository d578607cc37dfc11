import { isJsonObject } from '../json/exact-values';

/** A class with decorated fields: a request's or a response's shape. */
export type Model<T extends object = object> = new () => T;

/** What a text has to be beyond its type: the complaint, or null when it may pass. */
export type TextRule = (text: string) => string | null;

/** A check in addition to the type, from a class-validator decorator. */
export interface ValueRule {
  /** The complaint about a value of the right type, or null when it may pass. */
  errorFor(value: unknown): string | null;
}

/** The parts of a declared type, as the compiler and the OpenAPI writer read them. */
export type TypeShape =
  | {
      readonly kind: 'string';
      readonly trim: boolean;
      readonly rule: TextRule | undefined;
      readonly minLength: number | undefined;
      readonly maxLength: number | undefined;
      readonly pattern: RegExp | undefined;
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer' | 'number'; readonly bounds: Bounds }
  | { readonly kind: 'uuid' | 'dateTime' | 'email' | 'anything' }
  | { readonly kind: 'oneOf' | 'literal'; readonly values: readonly string[] }
  | { readonly kind: 'model'; readonly model: () => Model }
  | { readonly kind: 'list'; readonly item: TypeShape; readonly min: number; readonly max: number }
  | { readonly kind: 'commaList'; readonly item: TypeShape }
  | { readonly kind: 'dictionary'; readonly value: TypeShape; readonly max: number }
  | { readonly kind: 'union'; readonly models: readonly (() => Model)[] }
  | { readonly kind: 'ruled'; readonly type: TypeShape; readonly rules: readonly ValueRule[] };

/** The limits of a number; each is named in the error it causes. */
export interface Bounds {
  readonly gt?: number;
  readonly ge?: number;
  readonly lt?: number;
  readonly le?: number;
}

/**
 * A declared type. `Value` is what a handler receives, `Wire` what a response carries in the same place
 * (a `dateTime` arrives as a `Date` and is answered as text); `@Field` accepts a property of either.
 */
export interface FieldType<Value, Wire = Value> {
  readonly shape: TypeShape;
  /** Only for the type checker: never set. */
  readonly carries?: { readonly value: Value; readonly wire: Wire };
}

/**
 * Any string, the empty one included; numbers are not turned into text.
 * @param options.trim surrounding white space is dropped before the rule looks and from the value
 * @param options.rule refuses texts with a `value_error`
 */
export function string(
  options: { trim?: boolean; rule?: TextRule; minLength?: number; maxLength?: number } = {},
): FieldType<string> {
  return {
    shape: {
      kind: 'string',
      trim: options.trim ?? false,
      rule: options.rule,
      minLength: options.minLength,
      maxLength: options.maxLength,
      pattern: undefined,
    },
  };
}

/** `true` and `false`, 0 and 1, and the words yes/no, on/off, true/false and their letters. */
export function boolean(): FieldType<boolean> {
  return { shape: { kind: 'boolean' } };
}

/** A whole number; beyond 2^53 the value is the nearest double. */
export function integer(bounds: Bounds = {}): FieldType<number> {
  return { shape: { kind: 'integer', bounds } };
}

/** A number with or without a fraction. */
export function number(bounds: Bounds = {}): FieldType<number> {
  return { shape: { kind: 'number', bounds } };
}

/** A UUID in any of its spellings; the value is lower case with hyphens. */
export function uuid(): FieldType<string> {
  return { shape: { kind: 'uuid' } };
}

/** A point in time: ISO 8601 text, a date, or unix time; without an offset it is UTC. */
export function dateTime(): FieldType<Date, string> {
  return { shape: { kind: 'dateTime' } };
}

/** An e-mail address; the value is its normalized spelling. */
export function email(): FieldType<string> {
  return { shape: { kind: 'email' } };
}

/** One of several texts, exactly as written. */
export function oneOf<const V extends string>(values: readonly V[]): FieldType<V> {
  return { shape: { kind: 'oneOf', values } };
}

/** One text only, or one of several; unlike `oneOf` its error is a `literal_error`. */
export function literal<const V extends string>(...values: readonly [V, ...V[]]): FieldType<V> {
  return { shape: { kind: 'literal', values } };
}

/** An object of another class. */
export function model<T extends object>(of: () => Model<T>): FieldType<T> {
  return { shape: { kind: 'model', model: of } };
}

/** An array of one type. */
export function list<V, W>(
  item: FieldType<V, W>,
  length: { min?: number; max?: number } = {},
): FieldType<V[], W[]> {
  return {
    shape: { kind: 'list', item: item.shape, min: length.min ?? 0, max: length.max ?? Infinity },
  };
}

/** A query parameter that lists values: every occurrence is split at commas, empty pieces are dropped. */
export function commaList<V, W>(item: FieldType<V, W>): FieldType<V[], W[]> {
  return { shape: { kind: 'commaList', item: item.shape } };
}

/**
 * An object with keys of the caller's choosing.
 * @param options.max most keys
 * @param options.rule refuses objects with a `value_error`
 */
export function dictionary(): FieldType<Record<string, unknown>>;
export function dictionary<V, W>(
  values: FieldType<V, W>,
  options?: DictionaryOptions,
): FieldType<Record<string, V>, Record<string, W>>;
export function dictionary(
  values: FieldType<unknown> = anything(),
  { max = Infinity, rule }: DictionaryOptions = {},
): FieldType<Record<string, unknown>> {
  const shape: TypeShape = { kind: 'dictionary', value: values.shape, max };
  if (rule === undefined) return { shape };
  const errorFor = (value: unknown): string | null =>
    isJsonObject(value) ? rule(value) : 'the value is no object';
  return { shape: { kind: 'ruled', type: shape, rules: [{ errorFor }] } };
}

/** What an object has to be beyond its type. */
interface DictionaryOptions {
  readonly max?: number;
  readonly rule?: (value: Readonly<Record<string, unknown>>) => string | null;
}

/** An object of one of several classes: the first that accepts it; else the errors of all are reported. */
export function union<A extends object, B extends object>(
  first: () => Model<A>,
  second: () => Model<B>,
): FieldType<A | B> {
  return { shape: { kind: 'union', models: [first, second] } };
}

/** Any JSON value. */
export function anything(): FieldType<unknown> {
  return { shape: { kind: 'anything' } };
}
