import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { StaticFiles } from './files/static-files';
import { isInterfacePath } from './pages/interface-paths';
import { InterfacePages } from './pages/interface-pages';

/**
 * What answers reading requests for the files and pages of the web interface; all others go on. No controller, because
 * files are many and public, and belong to no operation.
 */
@Injectable()
export class InterfaceMiddleware implements NestMiddleware {
  constructor(
    private readonly files: StaticFiles,
    private readonly pages: InterfacePages,
  ) {}

  async use(request: Request, response: Response, next: NextFunction): Promise<void> {
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    // Where a middleware is mounted, Express cuts the path of the request.
    const [path = ''] = request.originalUrl.split('?', 1);
    if (isReading && isInterfacePath(path)) await this.pages.respond(request, response);
    else if (!isReading || !(await this.files.send(path, request, response))) next();
  }
}
