import { type ExecutionContext, Injectable, RequestMethod, SetMetadata } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { Reflector } from '@nestjs/core';
import {
  CHANGES_CREDENTIALS,
  type ChangesCredentials,
  KEPT_FOR_USER,
  ROUTE_ACCESS,
  type RouteAccess,
} from '../../auth';
import { type Bucket, DECLARED_BUCKET } from '../../request-limits';
import { type RequestPlan, RequestPlans, type ValidationIssue } from '../../validation';
import { BODY_LIMIT, DEFAULT_BODY_LIMIT } from '../body/body-limit';
import { TAKES_FORMS } from '../body/takes-forms';

/** Metadata key of {@link ReportsIgnoredFields}. */
const REPORTS_IGNORED_FIELDS = 'ocs:reports-ignored-fields';

/** The header of responses that names them. */
export const IGNORED_FIELDS = 'X-Ignored-Fields';

/** For the document: the header of routes with {@link ReportsIgnoredFields}. */
export const IGNORED_FIELDS_HEADER = {
  [IGNORED_FIELDS]: { $ref: `#/components/headers/${IGNORED_FIELDS}` },
};

const MAX_KEY_LENGTH = 100;
const MAX_LENGTH = 2_000;

/** Responses name the fields of the body that nothing reads (docs/contract.md#start-request). */
export function ReportsIgnoredFields(): MethodDecorator {
  return SetMetadata(REPORTS_IGNORED_FIELDS, true);
}

/** Paths of fields as the value of the header: callers choose their names, and how many there are. */
export function ignoredFieldsText(paths: Iterable<readonly (string | number)[]>): string {
  const names: string[] = [];
  let length = 0;
  for (const path of paths) {
    const name = path.map(stepText).join('.');
    length += name.length + 2;
    if (length > MAX_LENGTH) return [...names, '...'].join(', ');
    names.push(name);
  }
  return names.join(', ');
}

/** What separates names, and what headers cannot carry, is escaped. */
function stepText(step: string | number): string {
  const key = String(step).slice(0, MAX_KEY_LENGTH).toWellFormed();
  return encodeURIComponent(key).replaceAll('.', '%2E');
}

/** Metadata key of {@link HeaderLimits}. */
const HEADER_LIMITS = 'ocs:header-limits';

/** The largest lengths of headers, by their names in lower case. */
type HeaderLengths = Readonly<Record<string, number>>;

/** Declares how long headers of a route may be; a longer one is reported together with all other errors. */
export function HeaderLimits(lengths: HeaderLengths): MethodDecorator {
  return SetMetadata(HEADER_LIMITS, lengths);
}

/** The errors of headers that are too long. */
export function headerIssues(
  lengths: HeaderLengths,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): ValidationIssue[] {
  return Object.entries(lengths).flatMap(([name, max]) => {
    const value = headers[name];
    if (typeof value !== 'string' || value.length <= max) return [];
    const msg = `String should have at most ${max} characters`;
    return [{ type: 'string_too_long', loc: ['header', name], msg, input: value, ctx: { max_length: max } }];
  });
}

/** What a handler declares about its requests. */
export interface RouteDeclaration {
  readonly access: RouteAccess;
  /** Which of its requests need a recent sign-in of a session; null for none. */
  readonly changesCredentials: ChangesCredentials | null;
  /** Whether it stores something for its user that a sign-in by a link of an administrator must not. */
  readonly keepsForUser: boolean;
  /** The bucket in which its requests are counted; null when they are not. */
  readonly bucket: Bucket | null;
  /** How path, query, headers and body are validated. */
  readonly plan: RequestPlan;
  /** Whether a form does as a body, too. */
  readonly takesForms: boolean;
  /** The largest body the route accepts, in bytes. */
  readonly bodyLimit: number;
  /** The largest lengths of its headers. */
  readonly headerLengths: HeaderLengths;
  /** Whether responses name the fields of the body that nothing reads. */
  readonly reportsIgnoredFields: boolean;
}

/** Reads the declarations of handlers, once per handler; the guards share them. */
@Injectable()
export class RouteDeclarations {
  private readonly cache = new WeakMap<object, RouteDeclaration>();

  constructor(private readonly reflector: Reflector) {}

  /** @throws Error when the handler does not declare its access */
  of(context: ExecutionContext): RouteDeclaration {
    const handler = context.getHandler();
    const cached = this.cache.get(handler);
    if (cached) return cached;
    const declaration = this.read(context);
    this.cache.set(handler, declaration);
    return declaration;
  }

  private read(context: ExecutionContext): RouteDeclaration {
    const handler = context.getHandler();
    const controller = context.getClass();
    const targets = [handler, controller];
    const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(ROUTE_ACCESS, targets);
    if (access === undefined)
      throw new Error(`${controller.name}.${handler.name} does not declare its access.`);
    const limit = this.reflector.getAllAndOverride<number | undefined>(BODY_LIMIT, targets);
    const bucket = this.reflector.getAllAndOverride<Bucket | null | undefined>(DECLARED_BUCKET, targets);
    return {
      access,
      changesCredentials:
        this.reflector.get<ChangesCredentials | undefined>(CHANGES_CREDENTIALS, handler) ?? null,
      keepsForUser:
        this.reflector.getAllAndOverride<true | undefined>(KEPT_FOR_USER, targets) === true &&
        !isRead(handler),
      bucket: bucket === undefined ? impliedBucket(access, handler) : bucket,
      plan: RequestPlans.for(controller, handler.name),
      takesForms: this.reflector.get<true | undefined>(TAKES_FORMS, handler) === true,
      bodyLimit: limit ?? DEFAULT_BODY_LIMIT,
      headerLengths: this.reflector.get<HeaderLengths | undefined>(HEADER_LIMITS, handler) ?? {},
      reportsIgnoredFields: this.reflector.get<true | undefined>(REPORTS_IGNORED_FIELDS, handler) === true,
    };
  }
}

function impliedBucket(access: RouteAccess, handler: object): Bucket {
  if (access.kind === 'public') return 'public';
  if (access.kind === 'sandbox') return 'webhooks';
  return isRead(handler) ? 'reads' : 'lifecycle';
}

function isRead(handler: object): boolean {
  return Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.GET;
}
