import { type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { StaticFiles } from './files/static-files';
import { InterfacePages } from './pages/interface-pages';
/**
 * Serves the web interface's files and pages to reading requests; everything else goes on. Not a controller, because
 * the files are many and public, and belong to no operation.
 */
export declare class InterfaceMiddleware implements NestMiddleware {
    private readonly files;
    private readonly pages;
    constructor(files: StaticFiles, pages: InterfacePages);
    use(request: Request, response: Response, next: NextFunction): Promise<void>;
}
