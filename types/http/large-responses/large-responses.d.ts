import { StreamableFile } from '@nestjs/common';
import { Metrics } from '../observability/metrics';
import { type ResponseItem } from './response-size';
/** A small response is a text; a large one is read while it is sent. */
export type JsonResponse = string | StreamableFile;
/** What stands around the items of a response. */
export interface Frame {
    readonly before: string;
    readonly after: string;
}
/** What stands around a list that is answered whole. */
export declare const LIST_FRAME: Frame;
/** What stands around the items of a page. @param nextPageId null on the last one */
export declare function pageFrame(nextPageId: string | null): Frame;
/**
 * Responses of many bytes, part by part: few of them are in memory at once, whoever asks and however slowly they read
 * (docs/contract.md#response-limits).
 */
export declare class LargeResponses {
    private readonly slots;
    private last;
    constructor({ registry }: Metrics);
    /**
     * Items as JSON, in their order: as one text, or read while they are sent where many bytes of them are not read yet.
     * @param read gives the JSON texts of some items that have none yet
     * @throws TooManyLargeResponsesError
     */
    respond<Item extends ResponseItem>(userId: string, items: readonly Item[], frame: Frame, read: (items: readonly Item[]) => Promise<readonly string[]>): Promise<JsonResponse>;
    private stream;
    /** One part is read at a time, and others' requests have the process to themselves in between. */
    private inTurn;
}
