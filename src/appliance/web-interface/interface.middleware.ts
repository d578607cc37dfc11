import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { StaticFiles } from '../../kernel/http';
import { InterfacePages } from './pages/interface-pages';
import { InterfacePaths } from './pages/interface-paths';

/** Nothing of the interface is below it. */
const API = '/api/';

/**
 * Serves the web interface's files and pages to reading requests; everything else goes on. Not a controller, because
 * the files are many and public, and belong to no operation.
 */
@Injectable()
export class InterfaceMiddleware implements NestMiddleware {
  constructor(
    private readonly files: StaticFiles,
    private readonly pages: InterfacePages,
    private readonly paths: InterfacePaths,
  ) {}

  use(request: Request, response: Response, next: NextFunction): Promise<void> {
    // Express strips the mount path of a middleware from `path`.
    const [path = ''] = request.originalUrl.split('?', 1);
    if (!path.startsWith(API)) return this.serve(path, request, response, next);
    next();
    return Promise.resolve();
  }

  private async serve(path: string, request: Request, response: Response, next: NextFunction): Promise<void> {
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    const elsewhere = this.paths.nearest(path);
    if (isReading && this.paths.has(path)) await this.pages.respond(request, response);
    else if (isReading && elsewhere !== null) this.pages.lead(request, response, elsewhere);
    else if (!isReading || !(await this.files.send(path, request, response))) next();
  }
}
