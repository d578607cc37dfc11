import { type Caller, OrgResolution } from '../../auth';
import { ConversationRepository } from '../record/conversation.repository';
import type { ConversationRow } from '../record/conversation-row';
/** What decides whose a conversation is. */
type Ownership = Pick<ConversationRow, 'orgId' | 'createdByUserId'>;
/** Decides who may know of a conversation that a path names (docs/contract.md#own-conversations). */
export declare class ConversationAccess {
    private readonly conversations;
    private readonly organizations;
    constructor(conversations: ConversationRepository, organizations: OrgResolution);
    /** The caller's own conversation. @throws ConversationNotFoundError */
    owned(caller: Caller, id: string): Promise<ConversationRow>;
    /** As {@link owned}, for what was read of the conversation already. */
    ownedRow<Row extends Ownership>(caller: Caller, row: Row | null | undefined): Promise<Row>;
    /**
     * The caller's own conversation, or any of an organization whose conversations they may view.
     * @throws ConversationNotFoundError
     */
    readable(caller: Caller, id: string): Promise<ConversationRow>;
    /** Those of some conversations that are not deleted, by their ids. */
    present(ids: readonly string[]): Promise<ReadonlySet<string>>;
    /** Those of the conversations that the caller may read, in their order. */
    readableOf<Row extends Ownership>(caller: Caller, rows: readonly Row[]): Promise<Row[]>;
    private mayRead;
}
export {};
