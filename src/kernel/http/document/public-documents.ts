import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { Express, NextFunction, Request, Response } from 'express';
import { rateLimitHeaders, RequestLimitError, RequestLimits } from '../../request-limits';
import { publishedDocument } from './openapi';
import { countedAddress } from '../request/client-address';
import { SWAGGER_UI } from '../swagger-ui/swagger-ui';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** The highest that takes a fraction of a second for some megabytes. */
const BROTLI_QUALITY = 6;

const ENCODERS = {
  br: (plain: Buffer) =>
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (plain: Buffer) => promisify(gzip)(plain),
} as const;

type Encoding = keyof typeof ENCODERS;

const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

/** What is the same for everybody, in the best encoding its client accepts. Each is made once, at the first request. */
class EncodedContent {
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();
  private readonly plain: Buffer;

  constructor(content: string | Buffer) {
    this.plain = Buffer.from(content);
  }

  /** Answers a request with it, or that it is as the client has it; type and caching are the caller's. */
  async send(request: Request, response: Response): Promise<void> {
    response.vary('Accept-Encoding');
    const encoding = ENCODINGS.find((each) => request.acceptsEncodings(each) === each);
    if (encoding === undefined) {
      response.send(this.plain);
      return;
    }
    const content = await this.in(encoding);
    response.set('Content-Encoding', encoding).send(content);
  }

  private in(encoding: Encoding): Promise<Buffer> {
    const known = this.encoded.get(encoding) ?? ENCODERS[encoding](this.plain);
    this.encoded.set(encoding, known);
    return known;
  }
}

const DOCUMENT_PATH = '/openapi.json';
const PAGE_PATH = '/docs';

/** Paths that are answered before all routes. */
export const PUBLIC_PATHS: readonly string[] = [DOCUMENT_PATH, PAGE_PATH];

/** The files of Swagger UI that are large, beside its script. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js'];

/**
 * Serves the OpenAPI document and Swagger UI, which need no key: made and compressed once, counted by the address that asks,
 * and kept by browsers as long as they are the same.
 */
export function servePublicDocuments(app: NestExpressApplication): void {
  const limits = app.get(RequestLimits);
  app.use([DOCUMENT_PATH, PAGE_PATH], (request: Request, response: Response, next: NextFunction) => {
    const status = limits.count('probes', countedAddress(request));
    if (status !== null) response.set(rateLimitHeaders(status));
    if (status?.isExceeded === true) {
      const error = new RequestLimitError(status);
      response.status(error.status).set(error.headers).json(error.toBody());
      return;
    }
    response.set('Cache-Control', 'no-cache');
    next();
  });
  const server = app.getHttpAdapter().getInstance();
  let document: EncodedContent | undefined;
  server.get(DOCUMENT_PATH, (request, response, next) => {
    document ??= new EncodedContent(JSON.stringify(publishedDocument(app)));
    document.send(request, response.type('json')).catch(next);
  });
  serveLargeFiles(server);
  SwaggerModule.setup(PAGE_PATH.slice(1), app, () => publishedDocument(app), SWAGGER_UI);
}

/** Serves compressed the files that Swagger UI's own handlers would send as they are. */
function serveLargeFiles(server: Express): void {
  for (const name of FILES) {
    let content: Promise<EncodedContent> | undefined;
    server.get(`${PAGE_PATH}/${name}`, (request, response, next) => {
      content ??= readFile(pathOf(name)).then((bytes) => new EncodedContent(bytes));
      response.type(extname(name));
      content.then((known) => known.send(request, response)).catch(next);
    });
  }
  let script: EncodedContent | undefined;
  // Made once by a handler of Swagger UI, since it contains the whole document.
  server.get(`${PAGE_PATH}/swagger-ui-init.js`, (request, response, next) => {
    const send = response.send.bind(response);
    response.send = (text: string) => {
      response.send = send;
      script ??= new EncodedContent(text);
      script.send(request, response).catch(next);
      return response;
    };
    next();
  });
}

/** The files that `@nestjs/swagger` brings. */
function pathOf(name: string): string {
  return require.resolve(`swagger-ui-dist/${name}`, { paths: [require.resolve('@nestjs/swagger')] });
}
