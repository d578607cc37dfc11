export { BodyLimit } from './body-limit';
export { FailsWith } from './fails-with';
export { HttpModule } from './http.module';
export { loggingOptions } from './logging';
export { mendEscapes } from './malformed-escapes';
export { Metrics } from './metrics';
export { openApiDocument } from './openapi';
export { assignRequestId } from './request-id';
