import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../src/kernel/common';

/** One recorded request and the response it has to have (`test/contract/validation-vectors.jsonl`). */
export interface Vector {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly body_raw: string | null;
  readonly body_b64?: string;
  readonly status: number;
  readonly response: unknown;
  readonly status_new?: number;
  readonly response_new?: unknown;
  readonly response_seed?: unknown;
  readonly tags: readonly string[];
  readonly note: string;
}

const file = join(__dirname, '..', 'contract', 'validation-vectors.jsonl');

/** The vectors that can be compared: without those where the modelled framework itself breaks. */
export function comparableVectors(): Vector[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const vectors = lines.map((line): unknown => JSON.parse(line)).filter(isVector);
  return vectors.filter(
    ({ tags }) => !tags.some((tag) => tag.startsWith('oracle-') || tag === 'py-json-ext'),
  );
}

/** The bytes of a vector's body. */
export function bodyOf(vector: Vector): Buffer {
  return vector.body_b64 === undefined
    ? Buffer.from(vector.body_raw ?? '', 'utf8')
    : Buffer.from(vector.body_b64, 'base64');
}

/** A response as it is compared: its status, and the issues of its body. */
export interface Outcome {
  readonly status: number;
  readonly issues: readonly unknown[];
}

/** What the vector asks for; where newer releases of the modelled framework differ, either is right. */
export function expectedOutcomes(vector: Vector): Outcome[] {
  const status = vector.tags.includes('seed-400') ? 400 : vector.status;
  const outcomes = [{ status, issues: issuesOf(vector.response_seed ?? vector.response) }];
  if (vector.status_new !== undefined) {
    outcomes.push({
      status: vector.tags.includes('seed-400') && vector.status_new === 422 ? 400 : vector.status_new,
      issues: issuesOf(vector.response_new),
    });
  }
  return outcomes;
}

/** The entries of `detail`, or none. */
export function issuesOf(body: unknown): unknown[] {
  const detail: unknown = isRecord(body) ? body.detail : undefined;
  return Array.isArray(detail) ? detail : [];
}

/** Measure (A): the place and the type of each issue. */
export function placesOf(outcome: Outcome): unknown {
  const issues = outcome.issues.map((issue) => (isRecord(issue) ? [issue.loc, issue.type] : issue));
  return { status: outcome.status, issues };
}

const TAILED = /^(uuid_parsing|json_invalid|datetime_parsing|datetime_from_date_parsing)$/;
const EMAIL = 'value is not a valid email address: ';

/** Measure (B): everything, but for the free text at the end of some messages. */
export function detailsOf(outcome: Outcome): unknown {
  return { status: outcome.status, issues: outcome.issues.map(withoutTail) };
}

function withoutTail(issue: unknown): unknown {
  if (!isRecord(issue) || typeof issue.msg !== 'string' || typeof issue.type !== 'string') return issue;
  const isEmail = issue.type === 'value_error' && issue.msg.startsWith(EMAIL);
  if (!isEmail && !TAILED.test(issue.type)) return issue;
  const msg = isEmail ? EMAIL : (issue.msg.split(', ')[0] ?? '');
  return { ...issue, msg, ctx: isRecord(issue.ctx) ? Object.keys(issue.ctx) : issue.ctx };
}

function isVector(value: unknown): value is Vector {
  return isRecord(value) && typeof value.id === 'string' && Array.isArray(value.tags);
}
