import type { Joined } from '../accept.service';
import type { InvitationState, InvitationView } from '../invitation-view';
/** What the page of a valid invitation shows in addition to the invitation. */
export interface PageState {
    readonly token: string;
    /** Where the forms are sent. */
    readonly action: string;
    /** A code proves the address; where no mail is configured, the link is enough. */
    readonly byCode: boolean;
    /** A code was sent and can be entered. */
    readonly codeSent: boolean;
    /** What the person entered before. */
    readonly name: string;
    /** Why the last attempt failed. */
    readonly problem: string | null;
}
declare const ENDED: Record<Exclude<InvitationState, 'valid'> | 'unknown', {
    title: string;
    text: string;
}>;
/** The page of an invitation that cannot be accepted. */
export declare function endedPage(state: keyof typeof ENDED): string;
/** The page of a request that was refused. */
export declare function problemPage(problem: string): string;
/** The page of an invitation that can be accepted. */
export declare function invitationPage(invitation: InvitationView, state: PageState): string;
/** The page after an invitation was accepted; a key on it is shown this once. */
export declare function joinedPage(joined: Joined & {
    readonly key: string | null;
}, baseUrl: string): string;
export {};
