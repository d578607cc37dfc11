import { DataSource } from 'typeorm';
import { Authentication } from '../../../auth';
import { type Settings } from '../../../config';
import { Mailer } from '../../../mail';
import { AcceptService } from '../accept.service';
import { AcceptanceCodes } from '../acceptance-codes';
/** Path the forms of the page are sent to. */
export declare const FORM_PATH = "invitations/accept";
/** A page and the status it is sent with. */
export interface PageResponse {
    readonly status: number;
    readonly html: string;
    /** Of an error: when to come back. */
    readonly headers?: Readonly<Record<string, string>>;
}
/** The fields of the page's forms. */
export type PageForm = Readonly<Record<'token' | 'step' | 'key' | 'code' | 'name', string>>;
/** The page that the links of invitations open: it shows, and accepts only what its forms send. */
export declare class AcceptancePageService {
    private readonly database;
    private readonly settings;
    private readonly invitations;
    private readonly codes;
    private readonly mailer;
    private readonly authentication;
    constructor(database: DataSource, settings: Settings, invitations: AcceptService, codes: AcceptanceCodes, mailer: Mailer, authentication: Authentication);
    /** The page of a link; opening it changes nothing. */
    show(token: string): Promise<PageResponse>;
    /** Does what a form asks for; the page says what prevents it. */
    submit(form: PageForm): Promise<PageResponse>;
    private accept;
    /** The page again, saying what was wrong; or the current state of an invitation that is no longer valid. */
    private problem;
    private state;
    private find;
}
