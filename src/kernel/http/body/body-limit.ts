import { SetMetadata } from '@nestjs/common';
import { MEBIBYTE } from '../../common';

/** Metadata key of a route's own cap. */
export const BODY_LIMIT = 'ocs:body-limit';

/** The cap of routes that declare none, in bytes (docs/contract.md#body-limits). */
export const DEFAULT_BODY_LIMIT = 2 * MEBIBYTE;

/** The largest body a route reads, in MiB; a larger one is 413. */
export function BodyLimit(mebibytes: number): MethodDecorator & ClassDecorator {
  return SetMetadata(BODY_LIMIT, mebibytes * MEBIBYTE);
}
