import type { InvitationFailure } from '../record/invite.dto';
/** An address of a batch. */
export interface InvitedAddress {
    /** As the request has it. */
    readonly spelling: string;
    /** The address to store, compare and mail. */
    readonly email: string;
    /** It occurs earlier in the batch already. */
    readonly repeated: boolean;
}
/** The one spelling of an address that was found valid: without name and white space, in lower case. */
export declare function canonicalEmail(spelling: string): string;
/** Reads the addresses of a batch, in its order. */
export declare function invitedAddresses(spellings: readonly string[]): InvitedAddress[];
/** The addresses that are not invited and why, in the order of the request. */
export declare function failuresAmong(addresses: readonly InvitedAddress[], members: ReadonlySet<string>): InvitationFailure[];
