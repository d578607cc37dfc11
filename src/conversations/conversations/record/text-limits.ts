import { jsonBytes } from '../../../kernel/common';

/*
 * Limits of what a conversation's record holds: requests beyond them are refused, and what agents report is cut
 * (docs/contract.md#text-limits).
 */

export const MAX_TITLE = 1_000;
/** The longest title that agent servers take. */
export const MAX_AGENT_SERVER_TITLE = 200;
export const MAX_MODEL = 255;
export const MAX_AGENT_KIND = 100;
export const MAX_REPOSITORY = 2_048;
export const MAX_BRANCH = 255;
export const MAX_PULL_REQUESTS = 1_000;

/** As many as agent servers take. */
export const MAX_SYSTEM_MESSAGE_SUFFIX = 32_768;

export const MAX_TAGS = 50;
const MAX_TAG_NAME = 100;
const MAX_TAG_BYTES = 1_000;

/** The maximum size of the tags of a record, as the database writes them. */
export const MAX_TAGS_BYTES = 128 * 1024;

/** The maximum size of the request of a start task, as the database writes it. */
export const MAX_REQUEST_BYTES = 8 * 1024 * 1024;

/** Most characters of a start task's `detail`; longer ones are cut. */
export const MAX_DETAIL = 4_000;

export const MAX_PLUGINS = 50;
const MAX_PARAMETERS_BYTES = 16 * 1024;

/** @returns what is wrong with the names or values of tags, or null */
export function tagsProblem(tags: Readonly<Record<string, unknown>>): string | null {
  const isFine = Object.entries(tags).every(
    ([name, value]) => name.length <= MAX_TAG_NAME && jsonBytes(value) <= MAX_TAG_BYTES,
  );
  return isFine
    ? null
    : `a tag has a name of at most ${MAX_TAG_NAME} characters and a value of at most ${MAX_TAG_BYTES} bytes of JSON`;
}

/** @returns what is wrong with the parameters of a plugin, or null */
export function parametersProblem(parameters: Readonly<Record<string, unknown>>): string | null {
  return jsonBytes(parameters) <= MAX_PARAMETERS_BYTES
    ? null
    : `the parameters of a plugin have at most ${MAX_PARAMETERS_BYTES} bytes of JSON`;
}
