import { Statement } from '../../database';
/** The owners of an organization ($1) who can still sign in. */
export declare const OWNERS: Statement<{
    readonly user_id: string;
}>;
/** What a mail to an owner ($2) about an endpoint ($1) says; nothing once either is gone, or it is enabled again. */
export declare const OWNER_MAIL: Statement<{
    readonly email: string;
    readonly org_name: string;
    readonly url: string;
    readonly description: string;
}>;
