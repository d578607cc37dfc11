/**
 * Something about the whole installation, read from the database when metrics are scraped: a value that one process read
 * now and then would go on being shown by it after another process has read a newer one.
 */
export declare class ScrapedReading<Value> {
    private readonly read;
    private reading;
    private isUnderWay;
    private readAtMs;
    constructor(read: () => Promise<Value>);
    /** @returns null where it cannot be read in time: then there is nothing to show */
    current(): Promise<Value | null>;
    private readNow;
}
