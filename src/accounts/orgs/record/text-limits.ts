/** Most characters of the name of an organization or a user (docs/contract.md#text-limits). */
export const MAX_NAME = 200;

/** Most characters of an address: 64 before the at sign, 255 behind it. */
export const MAX_EMAIL = 320;
