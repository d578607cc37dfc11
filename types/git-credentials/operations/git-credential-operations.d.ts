/** Documents an operation that lists credentials. @param purpose a sentence on what they are for */
export declare function ListGitCredentials(summary: string, purpose: string): MethodDecorator;
/** Documents an operation that keeps a credential, and has it respond with 201. */
export declare function CreateGitCredential(summary: string): MethodDecorator;
/** Documents an operation that changes a credential. */
export declare function UpdateGitCredential(summary: string): MethodDecorator;
/** Documents an operation that deletes a credential. */
export declare function DeleteGitCredential(summary: string): MethodDecorator;
