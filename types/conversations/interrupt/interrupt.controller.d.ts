import { type Caller } from '../../auth';
import { Success } from '../../http';
import { ConversationPath } from '../app-conversations/app-conversation.dto';
import { InterruptService } from './interrupt.service';
export declare class InterruptController {
    private readonly interrupts;
    constructor(interrupts: InterruptService);
    interruptConversation(caller: Caller, path: ConversationPath): Promise<Success>;
}
