import type { RequestFault } from './validation.errors';

/** What a check returns instead of a value it refuses. */
export const INVALID = Symbol('invalid');

/** The most faults one response reports; checking stops there. */
export const MAX_FAULTS = 1000;

/** One check of a value: gives the typed value, or `INVALID` after reporting a fault to the cursor. */
export type Check = (value: unknown, at: Cursor) => unknown;

/**
 * Where a check is, and what it has found. A request is checked quietly first, which stops at the first
 * fault and allocates nothing; only a request with a fault is checked again, reporting all of them.
 */
export class Cursor {
  readonly loc: (string | number)[] = [];
  faults: RequestFault[] = [];

  /**
   * @param quiet stops at the first fault and reports none
   * @param exact whether the values may contain numbers that were parsed without loss
   */
  constructor(
    readonly quiet: boolean,
    readonly exact: boolean,
  ) {}

  /** Whether there is no point in looking further. */
  get isDone(): boolean {
    return this.quiet || this.faults.length >= MAX_FAULTS;
  }

  /** Reports a fault at the cursor's position. */
  fault(type: string, msg: string, input: unknown, ctx?: Readonly<Record<string, unknown>>): typeof INVALID {
    if (this.isDone) return INVALID;
    const loc = [...this.loc];
    this.faults.push(ctx ? { type, loc, msg, input, ctx } : { type, loc, msg, input });
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
