import type { ValidationIssue } from './validation.errors';

/** What a check returns instead of a value it refuses. */
export const INVALID = Symbol('invalid');

/** The most errors one response reports; checking stops there. */
export const MAX_ISSUES = 1000;

/** One check of a value: gives the typed value, or `INVALID` after reporting an error to the cursor. */
export type Check = (value: unknown, at: Cursor) => unknown;

/**
 * Where a check is, and what it has found. A request is checked quietly first, which stops at the first
 * error and allocates nothing; only a request with an error is checked again, reporting all of them.
 */
export class Cursor {
  readonly loc: (string | number)[] = [];
  issues: ValidationIssue[] = [];

  /**
   * @param quiet stops at the first error and reports none
   * @param exact whether the values may contain numbers that were parsed without loss
   */
  constructor(
    readonly quiet: boolean,
    readonly exact: boolean,
  ) {}

  /** Whether there is no point in looking further. */
  get isDone(): boolean {
    return this.quiet || this.issues.length >= MAX_ISSUES;
  }

  /** Reports an error at the cursor's position. */
  reject(type: string, msg: string, input: unknown, ctx?: Readonly<Record<string, unknown>>): typeof INVALID {
    if (this.isDone) return INVALID;
    const loc = [...this.loc];
    this.issues.push(ctx ? { type, loc, msg, input, ctx } : { type, loc, msg, input });
    return INVALID;
  }

  /** Runs a check one step further in. */
  into(step: string | number, check: Check, value: unknown): unknown {
    this.loc.push(step);
    const result = check(value, this);
    this.loc.pop();
    return result;
  }
}
