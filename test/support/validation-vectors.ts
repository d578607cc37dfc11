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

/** A response as it is compared: its status, and the faults of its body. */
export interface Outcome {
  readonly status: number;
  readonly faults: readonly unknown[];
}

/** What the vector asks for; where newer releases of the modelled framework differ, either is right. */
export function expectedOutcomes(vector: Vector): Outcome[] {
  const status = vector.tags.includes('seed-400') ? 400 : vector.status;
  const outcomes = [{ status, faults: faultsOf(vector.response_seed ?? vector.response) }];
  if (vector.status_new !== undefined) {
    outcomes.push({
      status: vector.tags.includes('seed-400') && vector.status_new === 422 ? 400 : vector.status_new,
      faults: faultsOf(vector.response_new),
    });
  }
  return outcomes;
}

/** The entries of `detail`, or none. */
export function faultsOf(body: unknown): unknown[] {
  const detail: unknown = isRecord(body) ? body.detail : undefined;
  return Array.isArray(detail) ? detail : [];
}

/** Measure (A): the place and the type of each fault. */
export function placesOf(outcome: Outcome): unknown {
  const faults = outcome.faults.map((fault) => (isRecord(fault) ? [fault.loc, fault.type] : fault));
  return { status: outcome.status, faults };
}

const TAILED = /^(uuid_parsing|json_invalid|datetime_parsing|datetime_from_date_parsing)$/;
const EMAIL = 'value is not a valid email address: ';

/** Measure (B): everything, but for the free text at the end of some messages. */
export function detailsOf(outcome: Outcome): unknown {
  return { status: outcome.status, faults: outcome.faults.map(withoutTail) };
}

function withoutTail(fault: unknown): unknown {
  if (!isRecord(fault) || typeof fault.msg !== 'string' || typeof fault.type !== 'string') return fault;
  const isEmail = fault.type === 'value_error' && fault.msg.startsWith(EMAIL);
  if (!isEmail && !TAILED.test(fault.type)) return fault;
  const msg = isEmail ? EMAIL : (fault.msg.split(', ')[0] ?? '');
  return { ...fault, msg, ctx: isRecord(fault.ctx) ? Object.keys(fault.ctx) : fault.ctx };
}

function isVector(value: unknown): value is Vector {
  return isRecord(value) && typeof value.id === 'string' && Array.isArray(value.tags);
}
