/** What a manifest offers. */
export interface ManifestOffer {
    readonly plugins: readonly {
        readonly name: string;
        readonly description: string;
    }[];
    readonly skills: readonly {
        readonly name: string;
    }[];
    /** Why entries were left out. */
    readonly problems: readonly string[];
}
/** A parsed manifest, or why it is invalid as a whole. */
export type ManifestReading = {
    readonly offer: ManifestOffer;
} | {
    readonly broken: string;
};
/** Parses a `marketplace.json`; an invalid entry does not invalidate the others. */
export declare function readManifest(bytes: Uint8Array): ManifestReading;
/** The first problems, and how many more there are. */
export declare function bounded(problems: readonly string[]): string[];
