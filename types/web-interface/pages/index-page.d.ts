/** The signed-in user, and the organization that the page starts in. */
export interface Viewer {
    readonly userId: string;
    readonly orgId: string | null;
}
/** The web interface's only HTML page, served at all of its paths. */
export declare class IndexPage {
    private readonly before;
    private readonly after;
    /** Sources in `script-src` for the inline scripts. */
    readonly scriptSources: readonly string[];
    private constructor();
    /**
     * Reads the page of an installed interface.
     * @throws Error if it has no `head`
     */
    static of(folder: string): Promise<IndexPage>;
    /** The page with the viewer's data, which is in place before any script of the interface runs. */
    textFor({ userId, orgId }: Viewer): string;
    /** The page's ETag: equal for equal texts. */
    static tagOf(text: string): string;
}
