import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Asker } from '../../../kernel/auth';
import { type ResponseItem, type Frame, type JsonResponse, LargeResponses } from '../../../kernel/http';
import { SandboxReader } from '../../../sandboxes/sandboxes';
import { ConversationRepository } from '../record/conversation.repository';
import type { ConversationRow } from '../record/conversation-row';
import { completed, completedJson, type LargeRow, smallOf } from '../listed/listed-conversation.query';
import type { AppConversation } from './app-conversation.dto';
import { toAppConversation } from './app-conversation.mapper';
import { LARGE_BY_ID, type ListedRow } from './conversation-search.query';

/** What a response has of a record beside its large columns and sub-conversations, and of each of those. */
const RECORD_BYTES = 4 * 1024;
const SUB_CONVERSATION_BYTES = 39;

/** A record in a response; its large columns are empty while it has no text. */
export interface RecordItem<Row extends ListedRow = ListedRow> extends ResponseItem {
  readonly row: Row;
  readonly record: AppConversation;
}

const UNREAD: Pick<ConversationRow, 'tags' | 'prNumber'> = { tags: {}, prNumber: [] };

/** Makes responses from records; large columns of many records are read while they are sent. */
@Injectable()
export class RecordResponses {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly conversations: ConversationRepository,
    private readonly sandboxes: SandboxReader,
    private readonly large: LargeResponses,
  ) {}

  /** A record, as one of its readers sees it. */
  async one(reader: Asker, row: ConversationRow): Promise<AppConversation> {
    const [sandboxes, children] = await Promise.all([
      this.sandboxes.byIds(row.sandboxId === null ? [] : [row.sandboxId]),
      this.conversations.childrenOf([row.id]),
    ]);
    const sandbox = sandboxes.get(row.sandboxId ?? '') ?? null;
    return toAppConversation(row, sandbox, children.get(row.id) ?? [], reader);
  }

  /** Records for a response, in their order. */
  async items<Row extends ListedRow>(reader: Asker, rows: readonly Row[]): Promise<RecordItem<Row>[]> {
    if (rows.length === 0) return [];
    const [sandboxes, children] = await Promise.all([
      this.sandboxes.byIds(rows.map(({ sandboxId }) => sandboxId).filter((id) => id !== null)),
      this.conversations.childrenOf(rows.map(({ id }) => id)),
    ]);
    return rows.map((row) => {
      const sandbox = row.sandboxId === null ? null : (sandboxes.get(row.sandboxId) ?? null);
      const subs = children.get(row.id) ?? [];
      const small = smallOf<ConversationRow>(row);
      const record = toAppConversation({ ...row, ...(small ?? UNREAD) }, sandbox, subs, reader);
      return {
        row,
        record,
        bytes: RECORD_BYTES + row.largeBytes + subs.length * SUB_CONVERSATION_BYTES,
        text: small === null ? null : JSON.stringify(record),
      };
    });
  }

  /** The records of a page, with their large columns. */
  async records(items: readonly RecordItem[]): Promise<AppConversation[]> {
    const large = await this.largeOf(items.filter(({ text }) => text === null));
    return items.map(({ record }) => completed(record, large.get(record.id)));
  }

  /** @throws TooManyLargeResponsesError */
  respond(
    readerId: string,
    items: readonly (RecordItem | (ResponseItem & { readonly row: null }))[],
    frame: Frame,
  ): Promise<JsonResponse> {
    return this.large.respond(readerId, items, frame, async (unread) => {
      const records = unread.filter((item) => item.row !== null);
      const large = await this.largeOf(records);
      return records.map(({ record }) => completedJson(record, large.get(record.id)));
    });
  }

  private async largeOf(items: readonly RecordItem[]): Promise<ReadonlyMap<string, LargeRow>> {
    if (items.length === 0) return new Map();
    const rows = await LARGE_BY_ID.rows(this.database, [items.map(({ row }) => row.id)]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}
