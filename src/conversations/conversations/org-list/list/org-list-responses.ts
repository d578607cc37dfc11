import { Injectable } from '@nestjs/common';
import { type JsonResponse, LargeResponses } from '../../../../kernel/http';
import { completed, completedJson, LARGE_ROWS, type LargeRow } from '../../listed/listed-conversation.query';
import { OrgListDatabase } from '../database/org-list-database';
import type {
  OrgConversationPage,
  OrgConversationResponse,
  OrgConversationsQuery,
} from './org-conversations.dto';
import { type ListedPage, OrgListService } from './org-list.service';

/** What a response has of a record beside its large columns. */
const RECORD_BYTES = 4 * 1024;

/** Makes responses of the organization list; large columns of many records are read while they are sent. */
@Injectable()
export class OrgListResponses {
  constructor(
    private readonly conversations: OrgListService,
    private readonly database: OrgListDatabase,
    private readonly large: LargeResponses,
  ) {}

  /** @throws ConversationsUnavailableError, TooManyLargeResponsesError */
  async list(readerId: string, orgId: string, query: OrgConversationsQuery): Promise<JsonResponse> {
    return (
      (await this.conversations.text(orgId, query)) ??
      this.withLarge(readerId, await this.conversations.list(orgId, query))
    );
  }

  private withLarge(readerId: string, { page, unreadBytes }: ListedPage): Promise<JsonResponse> {
    const { items, ...rest } = page;
    const shown = items.map((record) => {
      const unread = unreadBytes.get(record.id);
      const text = unread === undefined ? JSON.stringify(record) : null;
      return { record, bytes: RECORD_BYTES + (unread ?? 0), text };
    });
    const frame = { before: '{"items":[', after: `],${JSON.stringify(rest).slice(1)}` };
    return this.large.respond(readerId, shown, frame, (unread) =>
      this.read(unread.map(({ record }) => record)),
    );
  }

  /** As {@link list}, as records. @throws ConversationsUnavailableError */
  async records(orgId: string, query: OrgConversationsQuery): Promise<OrgConversationPage> {
    const { page, unreadBytes } = await this.conversations.list(orgId, query);
    if (unreadBytes.size === 0) return page;
    const large = await this.largeOf([...unreadBytes.keys()]);
    const items = page.items.map((record) => completed(record, large.get(record.id)));
    return Object.assign({}, page, { items });
  }

  /** The JSON texts of records with their large columns. */
  private async read(records: readonly OrgConversationResponse[]): Promise<string[]> {
    const large = await this.largeOf(records.map(({ id }) => id));
    return records.map((record) => completedJson(record, large.get(record.id)));
  }

  private async largeOf(ids: readonly string[]): Promise<ReadonlyMap<string, LargeRow>> {
    const rows = await this.database.rows<LargeRow>(LARGE_ROWS, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}
