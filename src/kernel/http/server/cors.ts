import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface';

/** Headers of responses that tell clients what to do, beyond those that browsers show to every page. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotency-Replayed',
  'Allow',
  'WWW-Authenticate',
  'Content-Disposition',
  'X-Ignored-Fields',
];

/** How long a browser need not ask again. */
const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of other origins call the service (docs/web-interface.md#pages-of-other-origins): with keys in headers,
 * never with cookies.
 * @param origins those named in `CORS_ORIGINS`
 */
export function corsOptions(origins: readonly string[]): CorsOptions {
  return {
    origin: [...origins],
    credentials: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  };
}
