import { type StartTaskStatus } from './start-task-status';
export declare class StartTask {
    id: string;
    orgId: string;
    createdByUserId: string;
    conversationId: string;
    sandboxId: string;
    status: StartTaskStatus;
    detail: string | null;
    agentServerUrl: string | null;
    /** The request as it came, with names instead of values where secrets were. */
    request: object;
    requestBytes: number | null;
    /** The request's secrets, encrypted, until the conversation runs. */
    sealedSecrets: string | null;
    /** When the start counts as failed, whatever it waits for. */
    deadlineAt: Date;
    /** The fencing number of the last run that wrote here: earlier runs can no longer change it. */
    fence: string;
    createdAt: Date;
    updatedAt: Date;
}
