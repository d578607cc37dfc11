/** A skill in the form that start calls take. */
export type AgentSkill = Readonly<Record<string, unknown>> & {
    readonly name: string;
};
/**
 * A skill as the agent server lists it, in the form its start call takes: triggers become keywords.
 * @returns null for one that is not understood
 */
export declare function agentSkill(listed: unknown): AgentSkill | null;
