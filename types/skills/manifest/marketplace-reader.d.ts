import { type Content } from './content';
import type { SkillType } from './skill-file';
import { TextReader } from './text-reader';
/** A skill that a marketplace offers. */
export interface OfferedSkill {
    readonly name: string;
    readonly type: SkillType;
    readonly triggers: readonly string[];
}
/** What a marketplace offers. */
export interface MarketplaceOffer {
    readonly plugins: readonly {
        readonly name: string;
        readonly description: string;
    }[];
    readonly skills: readonly OfferedSkill[];
    /** Whether it has a manifest, be it a broken one. */
    readonly hasManifest: boolean;
    /** Sentences about what could not be read. */
    readonly problems: readonly string[];
}
/**
 * Reads what a marketplace offers, by its manifest or else by its skill files
 * (docs/contract.md#marketplace-preview).
 */
export declare class MarketplaceReader {
    private readonly texts;
    constructor(texts: TextReader);
    /**
     * @param root folder of the marketplace within the content
     * @throws RegistrationProblem when there is no such folder
     */
    read(content: Content, root: string, signal: AbortSignal): Promise<MarketplaceOffer>;
    private manifest;
    private skills;
    private skill;
}
