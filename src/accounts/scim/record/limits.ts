/** Most tokens of an organization's directory. */
export const MAX_TOKENS = 10;

export const MAX_TOKEN_NAME = 255;

/** Most people that the directory of an organization may have told of, those it has deleted since included. */
export const MAX_USERS = 100_000;

export const MAX_GROUPS = 10_000;

/** Most bytes of what a directory says of one person or group, as JSON. */
export const MAX_RESOURCE_BYTES = 16_384;

/** Most characters of what people and groups are found by. */
export const MAX_FOUND_BY = 500;

/** Most members that one response shows, of all its groups together. */
export const MAX_SHOWN_MEMBERS = 100_000;

/** Most groups that are shown with a person. */
export const MAX_SHOWN_GROUPS = 100;

/**
 * Most operations of one PATCH of a person, and of a group but for those of its members, each key of a value without a path being one:
 * each copies the whole resource.
 */
export const MAX_USER_OPERATIONS = 500;

/** Most operations of one PATCH of a group, counted so, of which there is one for each member. */
export const MAX_GROUP_OPERATIONS = 5_000;

/** Most attributes that one request names, to be answered or not. */
export const MAX_PROJECTED = 100;

/** Most resources of one page. */
export const MAX_PAGE = 200;
