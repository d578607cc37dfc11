import { type EntityManager, type Repository } from 'typeorm';
import { ConversationRemoval } from './conversation-removal.entity';
/** A removal to record. */
export type NewRemoval = Omit<ConversationRemoval, 'settlesAt'> & {
    /** How long a start that is under way may still make the conversation. */
    readonly settleSeconds: number;
};
/** Keeps which conversations are to be removed from their agent servers. */
export declare class ConversationRemovalsRepository {
    private readonly removals;
    constructor(removals: Repository<ConversationRemoval>);
    /** @returns null when nothing is left to remove */
    find(conversationId: string): Promise<ConversationRemoval | null>;
    /** Records a removal; one that is known already stays as it is. */
    add(transaction: EntityManager, { settleSeconds, ...removal }: NewRemoval): Promise<void>;
    /** Nothing is left. */
    end(conversationId: string): Promise<void>;
    /** The ids of the conversations that wait for the agent server of a sandbox's own. */
    idsWaitingFor(transaction: EntityManager, sandboxId: string): Promise<string[]>;
}
