/** What the sign-in page shows. */
export interface SignInState {
    /** Where to go after signing in. */
    readonly returnTo: string;
    /** The e-mail address of the signed-in user. */
    readonly email: string | null;
    /** Why the last attempt failed. */
    readonly problem: string | null;
}
/** The page for signing in and out. */
export declare function signInPage({ returnTo, email, problem }: SignInState): string;
/** The page shown for a form that another site sent. */
export declare function foreignFormPage(): string;
