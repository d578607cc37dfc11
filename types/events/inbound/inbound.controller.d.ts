import { type SandboxCaller } from '../../auth';
import { InboundAnswer, InboundPath } from './inbound.dto';
import { InboundService } from './inbound.service';
export declare class InboundController {
    private readonly inbound;
    constructor(inbound: InboundService);
    receiveEvents(sandbox: SandboxCaller, path: InboundPath, _events: unknown[], text: string): Promise<InboundAnswer>;
    receiveConversation(sandbox: SandboxCaller, info: object): Promise<InboundAnswer>;
}
