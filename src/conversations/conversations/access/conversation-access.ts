import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { noteReadOfOthers } from '../../../kernel/audit';
import { type Asker, mayEnter, OrgResolution, ServiceActor, SignedInByLinkError } from '../../../kernel/auth';
import { SandboxReader } from '../../../sandboxes/sandboxes';
import { ConversationRepository } from '../record/conversation.repository';
import type { ConversationRow } from '../record/conversation-row';
import { ConversationNotFoundError } from '../record/conversations.errors';

/** The columns that decide who owns a conversation. */
type Ownership = Pick<ConversationRow, 'orgId' | 'createdByUserId'>;

/** Decides who may know of a conversation that a path names (docs/contract.md#own-conversations). */
@Injectable()
export class ConversationAccess {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly organizations: OrgResolution,
    private readonly sandboxes: SandboxReader,
  ) {}

  /**
   * The caller's own conversation, for changes; for the service itself, any of its organization.
   * @param transaction in which they are read
   * @throws ConversationNotFoundError; SignedInByLinkError where the caller may not enter its sandbox, or there is none
   */
  async owned(caller: Asker, id: string, transaction?: EntityManager): Promise<ConversationRow> {
    return this.ownedRow(caller, await this.conversations.find(id, transaction), transaction);
  }

  /** As {@link owned}, for a row that was already read. */
  async ownedRow<Row extends Ownership & Pick<ConversationRow, 'sandboxId'>>(
    caller: Asker,
    row: Row | null | undefined,
    transaction?: EntityManager,
  ): Promise<Row> {
    if (!row) throw new ConversationNotFoundError();
    const isOwn = caller instanceof ServiceActor || row.createdByUserId === caller.userId;
    if (!isOwn || !(await this.organizations.mayUse(caller, row.orgId)))
      throw new ConversationNotFoundError();
    if (caller.letInBy !== null) await this.assertByLink(caller, row.sandboxId, transaction);
    return row;
  }

  private async assertByLink(
    caller: Asker,
    sandboxId: string | null,
    transaction: EntityManager | undefined,
  ): Promise<void> {
    const sandbox = sandboxId === null ? null : await this.sandboxes.byId(sandboxId, transaction);
    if (sandbox === null || !mayEnter(caller, sandbox)) throw new SignedInByLinkError();
  }

  /**
   * The caller's own conversation, or any of an organization whose conversations they may view.
   * @throws ConversationNotFoundError
   */
  async readable(caller: Asker, id: string): Promise<ConversationRow> {
    const [row] = await this.readableOf(caller, await this.conversations.findMany([id]));
    if (row === undefined) throw new ConversationNotFoundError();
    return row;
  }

  /** Filters conversations by id for those that are not deleted. */
  present(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.conversations.present(ids);
  }

  /** Filters conversations for those that the caller may read, in order. That of others leaves a row in the audit log. */
  async readableOf<Row extends Ownership & Pick<ConversationRow, 'id'>>(
    caller: Asker,
    rows: readonly Row[],
  ): Promise<Row[]> {
    const readable = await Promise.all(rows.map((row) => this.mayRead(caller, row)));
    const found = rows.filter((_, index) => readable[index]);
    const ofOthers = found.filter(({ createdByUserId }) => createdByUserId !== caller.userId);
    const [first] = ofOthers;
    if (first !== undefined && caller.userId !== null)
      noteReadOfOthers({
        type: 'conversation',
        id: ofOthers.map(({ id }) => id).join(','),
        orgId: first.orgId,
      });
    return found;
  }

  private async mayRead(caller: Asker, row: Ownership): Promise<boolean> {
    const standing = await this.organizations.ofResource(caller, row.orgId);
    if (standing === null) return false;
    const { permissions } = standing;
    if (permissions.has('view_org_conversations')) return true;
    return row.createdByUserId === caller.userId && permissions.has('use_conversations');
  }
}
