/** The lines of a stream of bytes as they come; what comes after the last line end is left out. */
export declare function linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string>;
/** What comes last of a stream. */
export interface End {
    readonly text: string;
    /** Whether it is all there was. */
    readonly isWhole: boolean;
}
/** The last so many bytes of a stream, of which no more is held than these and what comes at once. */
export declare function endOf(stream: AsyncIterable<Buffer>, bytes: number): Promise<End>;
