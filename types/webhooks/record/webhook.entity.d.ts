import { type DisabledReason } from './disabled-reason';
/** An endpoint of an organization that is called back (docs/webhooks.md). */
export declare class Webhook {
    id: string;
    orgId: string;
    url: string;
    description: string;
    /** Which kinds are delivered (docs/webhooks.md#filters). */
    kinds: string[];
    /** Null for those of all conversations, and for what belongs to none. */
    conversationIds: string[] | null;
    /** Those that a conversation must all have; null for every conversation, and for what belongs to none. */
    tags: Record<string, string> | null;
    enabled: boolean;
    disabledReason: DisabledReason | null;
    disabledAt: Date | null;
    sealedSecret: string;
    /** The one before the last rotation. */
    sealedPreviousSecret: string | null;
    previousSecretUntil: Date | null;
    failingSince: Date | null;
    createdByUserId: string | null;
    createdAt: Date;
    updatedAt: Date;
}
