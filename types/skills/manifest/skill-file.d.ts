declare const TYPES: readonly ["knowledge", "repo", "task"];
export type SkillType = (typeof TYPES)[number];
/** What a Markdown file offers: a skill, nothing because it has no front matter, or a fault. */
export type SkillReading = {
    readonly kind: 'skill';
    /** Null when the front matter has none; then the path gives the name. */
    readonly name: string | null;
    readonly type: SkillType;
    readonly triggers: readonly string[];
    /** What was left out of it. */
    readonly problem: string | null;
} | {
    readonly kind: 'none';
} | {
    readonly kind: 'broken';
    readonly why: string;
};
/** Reads the beginning of a Markdown file. */
export declare function readSkillFile(head: Uint8Array, isWhole: boolean): SkillReading;
export {};
