import { DataSource } from 'typeorm';
import { type ResponseItem, type Frame, type JsonResponse, LargeResponses } from '../../http';
import { SandboxReader } from '../../sandboxes';
import { ConversationRepository } from '../record/conversation.repository';
import type { ConversationRow } from '../record/conversation-row';
import type { AppConversation } from './app-conversation.dto';
import { type ListedRow } from './conversation-search.query';
/** A record in a response; its large columns are empty while it has no text. */
export interface RecordItem<Row extends ListedRow = ListedRow> extends ResponseItem {
    readonly row: Row;
    readonly record: AppConversation;
}
/** Makes responses of records; what is large of many of them is read while they are sent. */
export declare class RecordResponses {
    private readonly database;
    private readonly conversations;
    private readonly sandboxes;
    private readonly large;
    constructor(database: DataSource, conversations: ConversationRepository, sandboxes: SandboxReader, large: LargeResponses);
    /** A record, as one of its readers sees it. */
    one(readerId: string, row: ConversationRow): Promise<AppConversation>;
    /** Records for a response, in their order. */
    items<Row extends ListedRow>(readerId: string, rows: readonly Row[]): Promise<RecordItem<Row>[]>;
    /** @throws TooManyLargeResponsesError */
    respond(readerId: string, items: readonly (RecordItem | (ResponseItem & {
        readonly row: null;
    }))[], frame: Frame): Promise<JsonResponse>;
}
