/* Limits of what is kept about agents, models apart (docs/contract.md#text-limits). */

export const MAX_LANGUAGE = 35;
export const MAX_GIT_NAME = 255;
export const MAX_GIT_EMAIL = 320;
export const MAX_DISABLED_SKILLS = 200;
export const MAX_SKILL_NAME = 255;
export const MAX_DISABLED_SKILLS_BYTES = 1024 * 1024;
/** Profiles of each kind per owner. */
export const MAX_PROFILES = 100;
export const MAX_PROFILE_NAME = 100;
/** Connections to providers per organization. */
export const MAX_CONNECTIONS = 50;
export const MAX_PROVIDER = 100;
/** The size of 64 KiB of MCP servers when encrypted. */
export const MAX_SEALED_MCP_BYTES = 128 * 1024;
