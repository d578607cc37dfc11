import type { AppConversationStartTask } from './start-task.dto';
import type { StartTask } from '../../start-tasks/start-task.entity';
type WithoutRequest = Omit<StartTask, 'request' | 'requestBytes' | 'sealedSecrets'>;
/** A start task as answered. */
export declare function toStartTask(task: WithoutRequest & Pick<StartTask, 'request'>): AppConversationStartTask;
/** As {@link toStartTask}, as JSON text. @param request the JSON text of the request */
export declare function toStartTaskJson(task: WithoutRequest, request: string): string;
export {};
