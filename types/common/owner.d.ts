/**
 * Whose something is that is kept: a user's, everywhere (`orgId` is null) or in one organization, or an
 * organization's (`userId` is null) (docs/contract.md#whose-settings-hold).
 */
export type Owner = {
    readonly userId: string;
    readonly orgId: string | null;
} | {
    readonly userId: null;
    readonly orgId: string;
};
/** A user in an organization: whoever something of the three kinds of owners is looked up for. */
export interface Person {
    readonly userId: string;
    readonly orgId: string;
}
interface Owned {
    readonly userId: string | null;
    readonly orgId: string | null;
}
/** The owners whose things hold for a person, the nearest first: what is nearer overrides what is not. */
export declare function ownersFor({ userId, orgId }: Person): readonly Owner[];
/** Sorts what belongs to a person's owners, the nearest first. */
export declare function nearestFirst(a: Owned, b: Owned): number;
export {};
