/**
 * A port that nobody listens on now.
 * @param preferred taken when it is free
 * @param avoid ports that belong to others although nobody listens yet
 * @returns null when none was found
 */
export declare function freePort(host: string, preferred: number | null, avoid: ReadonlySet<number>): Promise<number | null>;
/** Why nobody can listen at an address now, as the system names it; null when somebody can. */
export declare function listenProblem(host: string, port: number): Promise<string | null>;
