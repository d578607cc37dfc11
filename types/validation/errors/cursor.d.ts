import type { RequestFault } from './validation.errors';
/** What a check returns instead of a value it refuses. */
export declare const INVALID: unique symbol;
/** The most faults one response reports; checking stops there. */
export declare const MAX_FAULTS = 1000;
/** One check of a value: gives the typed value, or `INVALID` after reporting a fault to the cursor. */
export type Check = (value: unknown, at: Cursor) => unknown;
/**
 * Where a check is, and what it has found. A request is checked quietly first, which stops at the first
 * fault and allocates nothing; only a request with a fault is checked again, reporting all of them.
 */
export declare class Cursor {
    readonly quiet: boolean;
    readonly exact: boolean;
    readonly loc: (string | number)[];
    faults: RequestFault[];
    /**
     * @param quiet stops at the first fault and reports none
     * @param exact whether the values may contain numbers that were parsed without loss
     */
    constructor(quiet: boolean, exact: boolean);
    /** Whether there is no point in looking further. */
    get isDone(): boolean;
    /** Reports a fault at the cursor's position. */
    fault(type: string, msg: string, input: unknown, ctx?: Readonly<Record<string, unknown>>): typeof INVALID;
    /** Runs a check one step further in. */
    into(step: string | number, check: Check, value: unknown): unknown;
}
