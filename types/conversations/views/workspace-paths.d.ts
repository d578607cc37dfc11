/**
 * The real path of what a client names, inside the folder of a conversation.
 * @param folder the conversation's, inside the sandbox
 * @param requested relative to that folder, below it, or below {@link ASSUMED_FOLDER}, which stands for it
 * @throws PathOutsideWorkspaceError for any other
 */
export declare function pathInside(folder: string, requested: string): string;
