import { type Content } from './content';
/** A Markdown file that may be a skill. */
export interface SkillFile {
    /** Its path, with links followed. */
    readonly path: string;
    /** The path it was found under. */
    readonly shown: string;
    /** Its name unless its front matter has one; null when that cannot be displayed. */
    readonly name: string | null;
}
/**
 * Finds the Markdown files under `skills/` and `.skills/`, following links; each folder and file counts once,
 * no matter how many links point to it.
 * @param problems receives a sentence about each file that was left out
 */
export declare function findSkillFiles(content: Content, root: string, problems: string[]): Promise<readonly SkillFile[]>;
