import { GIT_PROVIDERS, SUGGESTED_TASKS } from '../../record/conversation.enums';
/** Work that waits in a repository (docs/contract.md#start-request). */
export declare class SuggestedTask {
    git_provider: (typeof GIT_PROVIDERS)[number];
    task_type: (typeof SUGGESTED_TASKS)[number];
    repo: string;
    issue_number: number;
    title: string;
}
