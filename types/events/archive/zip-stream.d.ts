/** As many files as an archive can hold without the 64-bit extension of the format. */
export declare const MAX_ZIP_FILES = 65535;
/** Bytes of content that surely fit below the 4 GiB of that format, whatever they compress to, with all names. */
export declare const MAX_ZIP_CONTENT_BYTES = 4000000000;
/** A file of an archive. */
export interface ZipEntry {
    readonly name: string;
    readonly content: string;
}
/** The bytes of a zip archive, made as they are asked for; compression runs off the event loop. */
export declare function zipStream(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer>;
