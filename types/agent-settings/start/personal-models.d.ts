import { type Person } from '../../common';
import { LlmProfilesRepository } from '../llm-profiles/llm-profiles.repository';
import { ConversationAgents } from './conversation-agents';
import type { Llm } from './llm';
/** The models of a person. Keys are only those that they keep themselves. */
export interface ModelsOfPerson {
    /** What conversations that name no model run on. */
    readonly llm: Llm;
    /** The profiles that the person may name, by name. */
    readonly profiles: readonly (Llm & {
        readonly name: string;
    })[];
    /** The name of the active one. */
    readonly activeProfile: string | null;
}
/** Reads the models of a person, for clients that run agents of their own (docs/contract.md#secrets-for-sandboxes). */
export declare class PersonalModels {
    private readonly agents;
    private readonly profiles;
    constructor(agents: ConversationAgents, profiles: LlmProfilesRepository);
    /** With the keys that the person keeps; never with those of the organization or the installation. */
    of(person: Person): Promise<ModelsOfPerson>;
}
