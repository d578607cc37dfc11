export declare const MAX_TITLE = 1000;
/** The longest title that agent servers take. */
export declare const MAX_AGENT_SERVER_TITLE = 200;
export declare const MAX_MODEL = 255;
export declare const MAX_AGENT_KIND = 100;
export declare const MAX_REPOSITORY = 2048;
export declare const MAX_BRANCH = 255;
export declare const MAX_PULL_REQUESTS = 1000;
/** As many as agent servers take. */
export declare const MAX_SYSTEM_MESSAGE_SUFFIX = 32768;
export declare const MAX_TAGS = 50;
/** What the tags of a record take at most, as the database writes them. */
export declare const MAX_TAGS_BYTES: number;
/** What a start task keeps of its request, as the database writes it. */
export declare const MAX_REQUEST_BYTES: number;
/** Most characters of a start task's `detail`; longer ones are cut. */
export declare const MAX_DETAIL = 4000;
export declare const MAX_PLUGINS = 50;
/** @returns what is wrong with the names or values of tags, or null */
export declare function tagsProblem(tags: Readonly<Record<string, unknown>>): string | null;
/** @returns what is wrong with the parameters of a plugin, or null */
export declare function parametersProblem(parameters: Readonly<Record<string, unknown>>): string | null;
