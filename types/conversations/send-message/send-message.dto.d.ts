import { type ContentBlock } from './content-blocks.dto';
import { type SandboxStatus } from '../../sandboxes';
/** A follow-up message (docs/contract.md#send-message). */
export declare class AppSendMessageRequest {
    role: "user";
    content: ContentBlock[];
    run: boolean;
}
/** What becomes of a message to a sandbox that does not run (docs/contract.md#waking-a-sandbox). */
export declare class SendMessageQuery {
    wait?: 'resume';
}
/** A message that waits for its sandbox (docs/contract.md#waking-a-sandbox). */
export declare class QueuedSendResponse {
    id: string;
    queued: boolean;
    state: 'queued';
    position: number;
    mode: 'steer';
    sandbox_status: SandboxStatus;
}
/** What became of a message (docs/contract.md#send-message). */
export declare class AppSendMessageResponse {
    success: boolean;
    sandbox_status: SandboxStatus;
    message?: string | null;
}
