import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { noteRoute, StaticFiles } from '../../kernel/http';
import { InterfacePages } from './pages/interface-pages';
import { InterfacePaths } from './pages/interface-paths';

/** Nothing of the interface is below it. */
const API = '/api/';

/**
 * Serves the web interface's files and pages to reading requests for which there is no route; everything else goes on. Not a
 * controller, because the files are many and public, and belong to no operation.
 */
@Injectable()
export class InterfaceRequests {
  constructor(
    private readonly files: StaticFiles,
    private readonly pages: InterfacePages,
    private readonly paths: InterfacePaths,
  ) {}

  /** A handler of Express. */
  readonly handle = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const [path = ''] = request.originalUrl.split('?', 1);
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    noteRoute(request, '/{*path}');
    if (path.startsWith(API) || !isReading) next();
    else await this.serve(path, request, response, next);
  };

  private async serve(path: string, request: Request, response: Response, next: NextFunction): Promise<void> {
    const elsewhere = this.paths.nearest(path);
    if (this.paths.has(path)) await this.pages.respond(request, response);
    else if (elsewhere !== null) this.pages.lead(request, response, elsewhere);
    else if (!(await this.files.send(path, request, response))) next();
  }
}
