import type { NestExpressApplication } from '@nestjs/platform-express';
import { type Installation } from './app.module';
/** Creates the application, the same for production, tests and `openapi.json`; it does not listen yet. */
export declare function createApp(installation: Installation): Promise<NestExpressApplication>;
