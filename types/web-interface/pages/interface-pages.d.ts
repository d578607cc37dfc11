import type { Request, Response } from 'express';
import { Authentication } from '../../auth';
import { type Settings } from '../../config';
import { IndexPage } from './index-page';
/** Serves the web interface's page, and redirects visitors who are not signed in to the sign-in page. */
export declare class InterfacePages {
    private readonly page;
    private readonly authentication;
    private readonly settings;
    constructor(page: IndexPage, authentication: Authentication, settings: Settings);
    /** Responds to one request. It may come from a link on another site: showing the page has no effect by itself. */
    respond(request: Request, response: Response): Promise<void>;
    private sendSettings;
    private sendPage;
}
