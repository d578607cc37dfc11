import { SetMetadata } from '@nestjs/common';
import type { RequestFault } from '../../validation';

/** Metadata key of {@link HeaderLimits}. */
export const HEADER_LIMITS = 'ocs:header-limits';

/** The largest lengths of headers, by their names in lower case. */
export type HeaderLengths = Readonly<Record<string, number>>;

/** Declares how long headers of a route may be; a longer one is reported together with all other faults. */
export function HeaderLimits(lengths: HeaderLengths): MethodDecorator {
  return SetMetadata(HEADER_LIMITS, lengths);
}

/** The faults of headers that are too long. */
export function headerFaults(
  lengths: HeaderLengths,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): RequestFault[] {
  return Object.entries(lengths).flatMap(([name, max]) => {
    const value = headers[name];
    if (typeof value !== 'string' || value.length <= max) return [];
    const msg = `String should have at most ${max} characters`;
    return [{ type: 'string_too_long', loc: ['header', name], msg, input: value, ctx: { max_length: max } }];
  });
}
