/** Why a callback failed, without addresses, URLs or anything else that its owner did not enter. */
export declare function failureText(error: unknown): string;
