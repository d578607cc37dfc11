import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type Caller, roleHasPermission, OrgResolution } from '../../auth';
import { CONVERSATION_COLUMNS, type ConversationRow } from './conversation-rows';
import { ConversationNotFoundError } from './conversations.errors';

/** What decides whose a conversation is. */
type Ownership = Pick<ConversationRow, 'org_id' | 'created_by_user_id'>;

/** Decides who may know of a conversation that a path names (docs/contract.md#own-conversations). */
@Injectable()
export class ConversationAccess {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly organizations: OrgResolution,
  ) {}

  /** The caller's own conversation. @throws ConversationNotFoundError */
  async owned(caller: Caller, id: string): Promise<ConversationRow> {
    return this.ownedRow(caller, await this.find(id));
  }

  /** As {@link owned}, for what was read of the conversation already. */
  async ownedRow<Row extends Ownership>(caller: Caller, row: Row | undefined): Promise<Row> {
    if (row?.created_by_user_id !== caller.userId) throw new ConversationNotFoundError();
    if ((await this.organizations.ofResource(caller, row.org_id)) === null)
      throw new ConversationNotFoundError();
    return row;
  }

  /**
   * The caller's own conversation, or any of an organization whose conversations they may view.
   * @throws ConversationNotFoundError
   */
  async readable(caller: Caller, id: string): Promise<ConversationRow> {
    const [row] = await this.readableOf(caller, [id]);
    if (row === undefined) throw new ConversationNotFoundError();
    return row;
  }

  /** Those of the conversations that the caller may read, in no particular order. */
  async readableOf(caller: Caller, ids: readonly string[]): Promise<ConversationRow[]> {
    const rows = await this.database.query<ConversationRow[]>(
      `SELECT ${CONVERSATION_COLUMNS} FROM conversations c WHERE c.id = ANY ($1::uuid[]) AND c.deleted_at IS NULL`,
      [ids],
    );
    const readable = await Promise.all(rows.map((row) => this.mayRead(caller, row)));
    return rows.filter((_, index) => readable[index]);
  }

  private async mayRead(caller: Caller, row: ConversationRow): Promise<boolean> {
    const role = await this.organizations.ofResource(caller, row.org_id);
    if (role === null) return false;
    return row.created_by_user_id === caller.userId || roleHasPermission(role, 'view_org_conversations');
  }

  private async find(id: string): Promise<ConversationRow | undefined> {
    const [row] = await this.database.query<ConversationRow[]>(
      `SELECT ${CONVERSATION_COLUMNS} FROM conversations c WHERE c.id = $1 AND c.deleted_at IS NULL`,
      [id],
    );
    return row;
  }
}
