/** Reads an http or https address. @returns null for any other text, and with a user, password, query or fragment */
export declare function plainHttpUrl(text: string): URL | null;
