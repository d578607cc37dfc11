export declare const MAX_SECRETS = 200;
export declare const MAX_SECRET_NAME = 128;
export declare const MAX_DESCRIPTION = 1000;
/** Encrypted size of a value of maximum length. */
export declare const MAX_SEALED_BYTES: number;
/** @returns what is wrong with a secret's name, or null; it becomes the name of an environment variable */
export declare function nameProblem(name: string): string | null;
/** @returns what is wrong with a secret's value, or null */
export declare function valueProblem(value: string): string | null;
