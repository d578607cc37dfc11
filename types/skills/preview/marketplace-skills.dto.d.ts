/** A skill that a marketplace offers by itself, outside any plugin. */
export declare class PreviewedSkill {
    name: string;
    type: string;
    source: string;
    triggers: string[];
}
/** A plugin that a marketplace offers. */
export declare class PreviewedPlugin {
    name: string;
    source: string;
    marketplace: string;
    description: string;
}
/** What marketplaces offer (docs/contract.md#marketplace-preview). */
export declare class MarketplaceSkillsPreviewResponse {
    skills: PreviewedSkill[];
    plugins: PreviewedPlugin[];
    marketplace_skills: Record<string, string[]>;
    errors: string[];
}
