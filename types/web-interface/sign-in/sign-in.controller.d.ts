import type { Request, Response } from 'express';
import { type Settings } from '../../config';
import { SignIn } from './sign-in.service';
declare class SignInQuery {
    returnTo: string;
}
/** Sign-in and sign-out pages for people; programs use keys. */
export declare class SignInController {
    private readonly signIn;
    private readonly settings;
    constructor(signIn: SignIn, settings: Settings);
    showSignIn(query: SignInQuery, request: Request, response: Response): Promise<void>;
    submitSignIn(request: Request, response: Response): Promise<void>;
    submitSignOut(request: Request, response: Response): Promise<void>;
    /** Keeps other sites from signing somebody in or out. */
    private isSameOrigin;
}
export {};
