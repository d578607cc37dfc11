import { SecretBox } from '../../../common';
import type { SealedColumn } from '../../../database';
import type { StartTask } from '../../start-tasks/start-task.entity';
/** Where the secrets are kept until the conversation runs. */
export declare const SEALED_START_SECRETS: SealedColumn;
/** The secrets of a start request, encrypted until the conversation runs. */
export declare class StartSecrets {
    private readonly box;
    constructor(box: SecretBox);
    /** @returns null without any */
    seal(taskId: string, secrets: Readonly<Record<string, string>> | null | undefined): string | null;
    open({ id, sealedSecrets }: StartTask): Readonly<Record<string, string>>;
}
