import { type Caller } from '../../auth';
import { Success } from '../../http';
import { BrowserSessionEnded, BrowserSessionPath, BrowserSessionResponse } from './browser-sessions.dto';
import { BrowserSessions } from './browser-sessions.service';
export declare class BrowserSessionsController {
    private readonly sessions;
    constructor(sessions: BrowserSessions);
    listSessions(caller: Caller): Promise<BrowserSessionResponse[]>;
    endSession(caller: Caller, path: BrowserSessionPath): Promise<BrowserSessionEnded>;
    checkSession(): Success;
}
