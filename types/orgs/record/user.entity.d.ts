export declare class User {
    id: string;
    /** In lower case. */
    email: string;
    name: string | null;
    currentOrgId: string | null;
    /**
     * Set while the address is unverified: the user's keys work in that organization only
     * (docs/contract.md#accepting-an-invitation).
     */
    confinedToOrgId: string | null;
    disabledAt: Date | null;
    createdAt: Date;
}
