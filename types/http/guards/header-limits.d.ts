import type { RequestFault } from '../../validation';
/** Metadata key of {@link HeaderLimits}. */
export declare const HEADER_LIMITS = "ocs:header-limits";
/** The largest lengths of headers, by their names in lower case. */
export type HeaderLengths = Readonly<Record<string, number>>;
/** Declares how long headers of a route may be; a longer one is reported together with all other faults. */
export declare function HeaderLimits(lengths: HeaderLengths): MethodDecorator;
/** The faults of headers that are too long. */
export declare function headerFaults(lengths: HeaderLengths, headers: Readonly<Record<string, string | readonly string[] | undefined>>): RequestFault[];
