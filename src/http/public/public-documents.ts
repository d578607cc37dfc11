import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { rateLimitHeaders, RequestLimitError, RequestLimits } from '../../request-limits';
import { openApiDocument } from '../document/openapi';
import { countedAddress } from '../request/client-address';
import { SWAGGER_UI } from '../swagger-ui/swagger-ui';

const DOCUMENT_PATH = '/openapi.json';
const PAGE_PATH = '/docs';

/**
 * Serves the OpenAPI document and Swagger UI, which need no key: made once, counted by the address that asks, and kept by
 * browsers as long as they are the same.
 */
export function servePublicDocuments(app: NestExpressApplication): void {
  const limits = app.get(RequestLimits);
  app.use([DOCUMENT_PATH, PAGE_PATH], (request: Request, response: Response, next: NextFunction) => {
    limits.count('probes', countedAddress(request)).then((status) => {
      if (status !== null) response.set(rateLimitHeaders(status));
      if (status?.isExceeded === true) {
        const error = new RequestLimitError(status);
        response.status(error.status).set(error.headers).json(error.toBody());
        return;
      }
      response.set('Cache-Control', 'no-cache');
      next();
    }, next);
  });
  let document: string | undefined;
  app
    .getHttpAdapter()
    .getInstance()
    .get(DOCUMENT_PATH, (_request, response) => {
      document ??= JSON.stringify(openApiDocument(app));
      response.type('application/json').send(document);
    });
  SwaggerModule.setup(PAGE_PATH.slice(1), app, () => openApiDocument(app), SWAGGER_UI);
}
