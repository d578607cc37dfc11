/** A user's secret, for conversations in one organization or (`orgId` is null) in all. */
export declare class UserSecret {
    id: string;
    userId: string;
    orgId: string | null;
    name: string;
    description: string | null;
    sealedValue: string;
}
