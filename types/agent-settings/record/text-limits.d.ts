export declare const MAX_MODEL = 255;
export declare const MAX_BASE_URL = 2048;
export declare const MAX_MODEL_KEY = 4096;
/** Encrypted size of a key of {@link MAX_MODEL_KEY}. */
export declare const MAX_SEALED_KEY_BYTES: number;
export declare const MAX_LANGUAGE = 35;
export declare const MAX_GIT_NAME = 255;
export declare const MAX_GIT_EMAIL = 320;
export declare const MAX_DISABLED_SKILLS = 200;
export declare const MAX_SKILL_NAME = 255;
export declare const MAX_DISABLED_SKILLS_BYTES: number;
export declare const MAX_PROFILE_NAME = 100;
export declare const MAX_PROVIDER = 100;
/** What MCP servers of 64 KiB take encrypted. */
export declare const MAX_SEALED_MCP_BYTES: number;
