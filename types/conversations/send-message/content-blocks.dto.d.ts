import { type FieldType } from '../../validation';
/** A text in a message (docs/contract.md#content-blocks). */
export declare class TextContent {
    cache_prompt: boolean;
    type: "text";
    text: string;
}
/** Images in a message (docs/contract.md#content-blocks). */
export declare class ImageContent {
    cache_prompt: boolean;
    type: "image";
    image_urls: string[];
}
/** A block of a message's content. */
export type ContentBlock = TextContent | ImageContent;
/** The declared type of a {@link ContentBlock}. */
export declare function contentBlock(): FieldType<ContentBlock>;
