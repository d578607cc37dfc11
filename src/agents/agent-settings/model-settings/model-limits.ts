/* Limits of what is kept about models (docs/contract.md#text-limits). */

export const MAX_MODEL = 255;
export const MAX_BASE_URL = 2_048;
export const MAX_MODEL_KEY = 4_096;
/** Encrypted size of a key of {@link MAX_MODEL_KEY}. */
export const MAX_SEALED_KEY_BYTES = 8 * 1024;
/** A text among the options of a model. */
export const MAX_OPTION = 255;
export const MAX_FOLDER = 1_024;
/** An object among them: headers, capabilities, additions to bodies. */
export const MAX_OPTIONS_OBJECT_BYTES = 16 * 1024;
/** The size of the encrypted options of a model. */
export const MAX_SEALED_OPTIONS_BYTES = 256 * 1024;
