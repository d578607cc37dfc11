import type { Response } from 'express';
import { type Caller } from '../../auth';
import { ConversationPath } from '../app-conversations/app-conversation.dto';
import { AppSendMessageRequest, AppSendMessageResponse, QueuedSendResponse, SendMessageQuery } from './send-message.dto';
import { SendMessageService } from './send-message.service';
import { WakingSends } from './waking-sends';
/** Images come as data URLs (docs/contract.md#body-limits). */
export declare const MESSAGE_MEBIBYTES = 20;
export declare class SendMessageController {
    private readonly messages;
    private readonly waking;
    constructor(messages: SendMessageService, waking: WakingSends);
    sendMessage(caller: Caller, path: ConversationPath, query: SendMessageQuery, body: AppSendMessageRequest, response: Response): Promise<AppSendMessageResponse | QueuedSendResponse>;
}
