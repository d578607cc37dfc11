import type { Request, Response } from 'express';
import { type Settings } from '../../../config';
import { AcceptancePageService } from './page.service';
declare class PageQuery {
    token: string;
}
/** The page for people; where its forms are sent is not for programs, so the OpenAPI document leaves that out. */
export declare class AcceptancePageController {
    private readonly pages;
    private readonly settings;
    constructor(pages: AcceptancePageService, settings: Settings);
    showInvitationPage(query: PageQuery, response: Response): Promise<void>;
    submitInvitationPage(request: Request, response: Response): Promise<void>;
    private submitted;
}
export {};
