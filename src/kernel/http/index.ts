export { BodyText, requestBodyText } from './guards/request-validation';
export { BodyLimit } from './body/body-limit';
export { TakesForms } from './body/takes-forms';
export { readBody } from './body/read-body';
export { addResponses, ApiErrors } from './document/error-responses';
export { modelsOfRoute, operationIdOf, schemaNameOf } from './document/route-models';
export { namedSchema, namedSchemas } from './document/schemas';
export { ApiLinks } from './document/links';
export { Success } from './body/success.dto';
export { ClientAbortSignal } from './request/client-abort-signal';
export {
  BodyTooLargeError,
  DatabaseUnavailableError,
  InternalError,
  MethodNotAllowedError,
  ServiceStoppingError,
  ValueOutOfRangeError,
  ResponseTooLargeError,
  TooManyLargeResponsesError,
  UnknownPathError,
  UnsupportedEncodingError,
} from './errors/http.errors';
export { ErrorFilter, type ErrorResponse } from './errors/error.filter';
export { allowedMethods } from './errors/allowed-methods';
export { errorCodeOf, noteErrorCode } from './errors/answered-error';
export { serveSandboxes } from './server/callback-listener';
export { closePipelinedResponses } from './server/pipelined-responses';
export { deferContinue, sendContinue } from './server/expect-continue';
export { dropRest } from './server/unread-body';
export { pendingUpgrade, receiveUpgrades, switchProtocols, type Upgraded } from './server/upgrades';
export { type DeclaredRoute, DeclaredRoutes } from './guards/declared-routes';
export { FailedCredentials } from './guards/failed-credentials';
export { countedAddress } from './request/client-address';
export { FORWARDED_CONTENT, ForwardedOperations } from './document/forwarded-operations';
export { corsOptions } from './server/cors';
export { readForm } from './pages/form-body';
export { StaticFiles } from './pages/static-files';
export { codeField, CONSOLE, keyBox, page, PAGE_POLICY } from './pages/page-layout';
export {
  type PageResponse,
  redirectPage,
  sendPage,
  removeIgnoredHeaders,
  setPageHeaders,
  refusalOf,
} from './pages/page-response';
export { HeaderLimits, IGNORED_FIELDS_HEADER, ReportsIgnoredFields } from './guards/route-declarations';
export { ServiceAdapter, type Shortcut } from './adapter/service-adapter';
export { respondToParserErrors } from './errors/parser-errors';
export { HttpModule } from './http.module';
export { LogDestination } from './observability/log-destination';
export { ServiceLog } from './observability/service-log';
export { AnsweredRequests } from './observability/answered-requests';
export { Metrics } from './observability/metrics';
export { noteRoute, routeOf } from './server/request-span';
export { scrapedGauges, ScrapedReading } from './observability/scraped-reading';
export { openApiDocument, publishedDocument, DeclaredWebhooks } from './document/openapi';
export { SECURITY_HEADERS } from './request/security-headers';
export {
  type ResponseItem,
  assertResponseFits,
  fittingPage,
  INLINE_BYTES,
  ResponseSlots,
  type Frame,
  type JsonResponse,
  LargeResponses,
  LIST_FRAME,
  pageFrame,
} from './body/large-responses';
export { PUBLIC_PATHS, servePublicDocuments } from './document/public-documents';
export { ToPutIn } from './swagger-ui/to-put-in';
export { DownloadSlots } from './downloads/download-slots';
export { TooManyDownloadsError } from './downloads/too-many-downloads.error';
export { MAX_ZIP_CONTENT_BYTES, MAX_ZIP_FILES, type ZipEntry, zipStream } from './downloads/zip-stream';
