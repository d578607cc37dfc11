/**
 * Writes a value as compact JSON, numbers as they were sent and keys in their order; what JSON cannot
 * represent becomes `null`.
 * @param budget the most characters it may take
 * @returns the text, or undefined when it would be longer
 */
export declare function writeJson(value: unknown, budget: number): string | undefined;
