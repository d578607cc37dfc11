import { checkedFields, checkOf, instanceOf, missing, type CheckedField } from '../checks/compile';
import { Cursor, INVALID, type Check } from '../errors/cursor';
import type { Model, TypeShape } from '../declaration/field-types';
import { parseBody, type ParsedBody } from './parse-body';
import { readQuery } from './query-text';
import { ValidationError, type ValidationResponse, type ValidationIssue } from '../errors/validation.errors';
import { declaredFields } from '../declaration/declared-fields';
import { isJsonObject } from '../json/exact-values';

/** What a handler declares about its request. */
interface RequestShape {
  readonly params: Model | undefined;
  readonly query: Model | undefined;
  readonly headers: Model | undefined;
  readonly body: TypeShape | undefined;
  readonly validationResponse: ValidationResponse;
}

/** A request as the HTTP layer has it. */
export interface RawRequest {
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The text after the `?`, undecoded. */
  readonly rawQuery: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Undefined where the handler declares no body. */
  readonly body: ParsedBody | undefined;
}

/** The typed parts of a request: instances of the declared classes. */
export interface RequestValues {
  readonly params: object | undefined;
  readonly query: object | undefined;
  readonly headers: object | undefined;
  readonly body: unknown;
}

/** Either values or errors: with an error, the values are not all there. */
export interface CheckedRequest {
  readonly values: RequestValues;
  readonly issues: readonly ValidationIssue[];
}

const NO_ISSUES: readonly ValidationIssue[] = [];
const NO_VALUES: RequestValues = { params: undefined, query: undefined, headers: undefined, body: undefined };

/**
 * Checks the requests of one handler: path, query, header and body together, in this order
 * (docs/decisions/0008-validation-of-our-own.md).
 */
export class RequestPlan {
  private readonly params: Group | undefined;
  private readonly query: Group | undefined;
  private readonly headers: Group | undefined;
  private readonly queryNames: ReadonlySet<string>;
  private readonly bodyCheck: Check | undefined;

  constructor(private readonly shape: RequestShape) {
    this.params = shape.params && new Group('path', shape.params);
    this.query = shape.query && new Group('query', shape.query);
    this.headers = shape.headers && new Group('header', shape.headers);
    this.queryNames = new Set(this.query?.names);
    this.bodyCheck = shape.body && checkOf(shape.body);
  }

  /** Whether the handler declares a body; any other body is left unread. */
  get hasBody(): boolean {
    return this.shape.body !== undefined;
  }

  /**
   * Reads the bytes of the body.
   * @throws ValidationError with a single `json_invalid`, BodyParseError
   */
  parseBody(bytes: Buffer, contentType: string | undefined): ParsedBody {
    return parseBody(bytes, contentType, this.shape.validationResponse);
  }

  /** Checks a whole request; never throws for its content. */
  check(request: RawRequest): CheckedRequest {
    const query = this.query && readQuery(request.rawQuery, this.queryNames);
    const { body } = request;
    const quick = this.run(new Cursor(true, body?.isExact ?? true), request, query, body?.value);
    if (quick) return { values: quick, issues: NO_ISSUES };
    // Numbers are parsed without loss only when an error was found: with their exact text they may turn out valid.
    const cursor = new Cursor(false, true);
    const values = this.run(cursor, request, query, body?.exactValue());
    return { values: values ?? NO_VALUES, issues: cursor.issues };
  }

  /**
   * The fields of a body that nothing reads, as it does not declare them.
   * @param read what the check made of the body
   */
  ignoredFields(body: ParsedBody, read: unknown): Iterable<FieldPath> {
    return this.shape.body === undefined ? [] : ignoredFields(this.shape.body, body.value, read);
  }

  /** The error that lists these issues in the form of this handler. */
  error(issues: readonly ValidationIssue[]): ValidationError {
    return new ValidationError(issues, this.shape.validationResponse);
  }

  private run(
    at: Cursor,
    request: RawRequest,
    query: ReadonlyMap<string, readonly string[]> | undefined,
    body: unknown,
  ): RequestValues | undefined {
    const { params: givenParams, headers: givenHeaders } = request;
    const params = this.params?.check((name) => givenParams[name], at);
    if (params === INVALID && at.quiet) return undefined;
    const queried = this.query?.check((name) => query?.get(name), at);
    if (queried === INVALID && at.quiet) return undefined;
    const headers = this.headers?.check((name) => givenHeaders[name], at);
    if (headers === INVALID && at.quiet) return undefined;
    const checked = this.bodyCheck && this.checkBody(this.bodyCheck, body, at);
    if (params === INVALID || queried === INVALID || headers === INVALID || checked === INVALID) {
      return undefined;
    }
    return { params, query: queried, headers, body: checked };
  }

  private checkBody(check: Check, body: unknown, at: Cursor): unknown {
    return body === undefined || body === null
      ? at.into('body', missing, null)
      : at.into('body', check, body);
  }
}

type Given = (name: string) => unknown;

/** The parameters of one place: the path, the query or the headers. */
class Group {
  private readonly fields: readonly (CheckedField & { readonly wire: string; readonly many: boolean })[];

  constructor(
    private readonly place: 'path' | 'query' | 'header',
    private readonly model: Model,
  ) {
    this.fields = checkedFields(model).map((field) => ({
      ...field,
      wire: place === 'header' ? field.name.toLowerCase().replaceAll('_', '-') : field.name,
      many: field.declared.type.kind === 'commaList' || field.declared.type.kind === 'list',
    }));
  }

  get names(): string[] {
    return this.fields.map(({ wire }) => wire);
  }

  check(given: Given, at: Cursor): Record<string, unknown> | typeof INVALID {
    const instance = instanceOf(this.model);
    let valid = true;
    at.loc.push(this.place);
    for (const { name, wire, many, required, check } of this.fields) {
      const all = given(wire);
      const value: unknown = Array.isArray(all) && !many ? this.one(all) : all;
      if (value === undefined && !required) continue;
      const result = value === undefined ? at.into(wire, missing, null) : at.into(wire, check, value);
      if (result !== INVALID) instance[name] = result;
      else {
        valid = false;
        if (at.isDone) break;
      }
    }
    at.loc.pop();
    return valid ? instance : INVALID;
  }

  /** The last of several values of a query parameter counts, and the first of a header. */
  private one(values: readonly unknown[]): unknown {
    return this.place === 'header' ? values[0] : values.at(-1);
  }
}

/** Where in a body a field is: keys, and places in arrays. */
type FieldPath = readonly (string | number)[];

/**
 * The fields of a value that its declared type does not have, at any depth. Of what is declared as `anything()`, and of
 * keys of the caller's choosing, all is read.
 * @param given the value as it was sent
 * @param read what the check of the type made of it: of a union, it says which class was taken
 */
function* ignoredFields(
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
