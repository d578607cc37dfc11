export declare class ViewedConversationPath {
    conversation_id: string;
}
/** A skill available to a conversation. */
export declare class ConversationSkill {
    name: string;
    type: string;
    content: string;
    triggers: string[];
}
export declare class ConversationSkills {
    skills: ConversationSkill[];
}
export declare class FolderQuery {
    path: string;
}
export declare class FileQuery {
    file_path: string;
}
export declare class DiffQuery {
    path: string;
}
/** A file that differs from the last commit. */
export declare class GitChange {
    status: string;
    path: string;
}
/** A file before and after its changes. */
export declare class GitDiff {
    modified: string | null;
    original: string | null;
}
export declare class SwitchProfile {
    profile_name: string;
}
export declare class SwitchAcpModel {
    model: string;
}
