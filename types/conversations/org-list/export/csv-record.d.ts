import { OrgConversationResponse } from '../list/org-conversations.dto';
/** The first line of an export. */
export declare const CSV_HEADER: string;
/** A conversation as one line of an export (RFC 4180), with its fields under their names. */
export declare function csvLine(conversation: OrgConversationResponse): string;
/** A text as a field; what a spreadsheet would compute gets an apostrophe in front. */
export declare function csvText(text: string): string;
