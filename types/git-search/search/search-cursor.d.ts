import { z } from 'zod';
import { type Person, SecretBox } from '../../common';
declare const searchPlace: z.ZodObject<{
    credential: z.ZodString;
    next: z.ZodNullable<z.ZodString>;
    size: z.ZodNumber;
}, z.core.$strip>;
/** Where a search goes on: with which credential, at which page of the provider, of which size. */
export type SearchPlace = z.infer<typeof searchPlace>;
/** What a page belongs to. */
export interface SearchKind {
    readonly person: Person;
    /** What is searched for, and how. */
    readonly asked: readonly (string | null)[];
}
/** Page ids of searches: sealed, so that nobody reads or makes one, and of one caller and one search only. */
export declare class SearchCursors {
    private readonly box;
    constructor(box: SecretBox);
    /** @throws GitProviderFailedError when the provider names its page at too great a length */
    write(kind: SearchKind, place: SearchPlace): string;
    /** @throws UnknownSearchPageError */
    read(kind: SearchKind, text: string): SearchPlace;
}
export {};
