import { type Html } from '../../common';
/** The parts of an email's HTML. */
export interface EmailParts {
    readonly subject: string;
    /** What mail programs show next to the subject. */
    readonly preview: string;
    readonly heading: Html;
    readonly body: readonly Html[];
    readonly footer: string;
}
/** One column, no images, nothing fetched: readable in every mail program, narrow or wide. */
export declare function emailHtml({ subject, preview, heading, body, footer }: EmailParts): string;
