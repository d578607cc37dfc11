import type { ApiBodyOptions } from '@nestjs/swagger';
import { OrgProfilesPath } from '../record/profile.dto';
/** A model profile in a list. */
export declare class LlmProfileInfo {
    name: string;
    model: string;
    base_url: string | null;
    api_key_set: boolean;
}
export declare class LlmProfileList {
    profiles: LlmProfileInfo[];
    active_profile: string | null;
}
/** The model of a profile, without its key. */
export declare class LlmProfileConfig {
    model: string;
    base_url: string | null;
    api_key_set: boolean;
}
/** A model profile. */
export declare class LlmProfileDetail {
    name: string;
    llm: LlmProfileConfig;
    config: LlmProfileConfig;
}
export declare class LlmProfilePath {
    name: string;
}
export declare class OrgLlmProfilePath extends OrgProfilesPath {
    name: string;
}
/** The name of a profile, which may be new. */
export declare class NewLlmProfilePath {
    name: string;
}
export declare class NewOrgLlmProfilePath extends OrgProfilesPath {
    name: string;
}
/** The model of a profile to save. */
export declare class LlmProfileModel {
    model: string;
    base_url?: string | null;
    api_key?: string | null;
}
/** Body of saving a profile. */
export declare class LlmProfileSave {
    llm: LlmProfileModel;
}
/** The documented body of saving a profile. */
export declare const MODEL_WITH_KEY: ApiBodyOptions;
