/** Preview of plugin marketplaces: fetched from a registration's source, read, and not kept. */
export declare class SkillsModule {
}
