import { isRecord } from '../../../kernel/common';
import { Field, string } from '../../../kernel/validation';
import { MAX_PAGE } from '../record/limits';
import { ScimError } from '../record/scim.errors';
import type { ResourceKind } from '../schema/attributes';
import { type Projection, projectionOf } from './projection';

/** The query of operations that answer resources; all of it is read tolerantly. */
export class ScimQuery {
  @Field(string(), { nullable: true, description: 'Which resources.' })
  filter: string | null = null;

  @Field(string(), { nullable: true, description: 'The first of them, from 1.' })
  startIndex: string | null = null;

  @Field(string(), { nullable: true, description: 'How many of them.' })
  count: string | null = null;

  @Field(string(), { nullable: true, description: 'What is answered of them.' })
  attributes: string | null = null;

  @Field(string(), { nullable: true, description: 'What is not.' })
  excludedAttributes: string | null = null;
}

/** Path of operations on one resource. */
export class ScimPath {
  @Field(string(), { description: 'Id of the resource.' })
  id!: string;
}

/** Which resources are asked for, and what of them. */
export interface ListRequest {
  /** Null for all. */
  readonly filter: string | null;
  /** From 1. */
  readonly startIndex: number;
  readonly count: number;
  readonly projection: Projection;
}

/** Reads what is asked for, from a query or the body of a search. @throws ScimError */
export function listRequest(kind: ResourceKind, asked: unknown): ListRequest {
  const { filter, startIndex, count, attributes, excludedAttributes } = isRecord(asked) ? asked : {};
  return {
    filter: typeof filter === 'string' && filter.trim() !== '' ? filter : null,
    startIndex: Math.max(1, numberIn('startIndex', startIndex) ?? 1),
    count: Math.min(MAX_PAGE, Math.max(0, numberIn('count', count) ?? MAX_PAGE)),
    projection: projectionOf(kind, attributes, excludedAttributes),
  };
}

/** Far beyond what an organization may have, so that the database can count so far. */
const MOST = 1_000_000_000;

function numberIn(name: string, value: unknown): number | null {
  if (value === null || value === undefined || value === '') return null;
  const read = typeof value === 'number' ? value : Number(typeof value === 'string' ? value : NaN);
  if (!Number.isInteger(read)) throw new ScimError(400, 'invalidValue', `${name} must be a whole number.`);
  return Math.min(MOST, Math.max(-MOST, read));
}

/** A page of resources, as the protocol has it. */
export function listResponse(
  resources: readonly object[],
  total: number,
  { startIndex }: Pick<ListRequest, 'startIndex'>,
): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
