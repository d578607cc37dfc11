/** How a skill comes up. */
export declare const SKILL_TYPES: readonly ["repo", "knowledge", "agentskills"];
export declare class SkillSearch {
    page_id?: string;
    limit: number;
}
/** A skill that conversations may use. */
export declare class AvailableSkill {
    name: string;
    type: (typeof SKILL_TYPES)[number];
    source: string;
    triggers: string[];
}
export declare class AvailableSkillPage {
    items: AvailableSkill[];
    next_page_id: string | null;
}
