import { Statement } from '../../database';
/** By hand because filters ask for the tags that conversations ($1) have, deleted ones too. */
export declare const CONVERSATION_TAGS: Statement<{
    readonly id: string;
    readonly tags: Readonly<Record<string, unknown>>;
}>;
