import { type OnModuleDestroy } from '@nestjs/common';
import type { ManifestReading } from './marketplace-manifest';
import type { SkillReading } from './skill-file';
/** A text for the worker thread to parse. */
export type ReadingTask = {
    readonly kind: 'manifest';
    readonly bytes: Uint8Array;
} | {
    readonly kind: 'skill';
    readonly bytes: Uint8Array;
    readonly isWhole: boolean;
};
/** The text could not be parsed within the limits of time and memory. */
export declare class UnreadableTextError extends Error {
    constructor();
}
/**
 * Parses manifests and front matter in a worker thread, one text after the other: untrusted JSON and YAML can keep a
 * parser busy for minutes. A text that takes too long costs the thread, not the service.
 */
export declare class TextReader implements OnModuleDestroy {
    private readonly queue;
    private thread;
    private busy;
    /** @throws UnreadableTextError */
    manifest(bytes: Uint8Array): Promise<ManifestReading>;
    /**
     * @param bytes the beginning of a Markdown file
     * @param isWhole whether that is the whole file
     * @throws UnreadableTextError
     */
    skill(bytes: Uint8Array, isWhole: boolean): Promise<SkillReading>;
    onModuleDestroy(): Promise<void>;
    private add;
    private work;
    private read;
}
