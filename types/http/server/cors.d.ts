import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface';
/**
 * Lets pages of other origins call the service (docs/web-interface.md#pages-of-other-origins): with keys in headers,
 * never with cookies.
 * @param origins those named in `CORS_ORIGINS`
 */
export declare function corsOptions(origins: readonly string[]): CorsOptions;
