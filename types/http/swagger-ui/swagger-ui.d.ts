import type { SwaggerCustomOptions } from '@nestjs/swagger';
/** How Swagger UI is set up at `/docs`: the key is asked for once, and what names something of the caller's is filled in. */
export declare const SWAGGER_UI: SwaggerCustomOptions;
