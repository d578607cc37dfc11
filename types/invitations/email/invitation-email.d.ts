import type { Role } from '../../auth';
/** The content of an invitation email. */
export interface InvitationEmailContent {
    readonly orgName: string;
    readonly role: Role;
    readonly inviterEmail: string;
    readonly inviterName: string | null;
    readonly expiresAt: Date;
    readonly link: string;
}
/** Roles as a sentence names them. */
export declare const ROLE_WORDS: Record<Role, string>;
/** A point in time as people read it: "Saturday, 28 November 2026 at 06:17 UTC". */
export declare function readableTime(time: Date): string;
/** Who invites, as people read it: name and address, or the address alone. */
export declare function inviterLine({ inviterName, inviterEmail, }: Pick<InvitationEmailContent, 'inviterName' | 'inviterEmail'>): string;
/** A name on one line and of readable length: users choose it freely, and subjects contain it. */
export declare function plainName(name: string): string;
/** Subject, text and HTML of an invitation. */
export declare function invitationEmail(content: InvitationEmailContent): {
    subject: string;
    text: string;
    html: string;
};
