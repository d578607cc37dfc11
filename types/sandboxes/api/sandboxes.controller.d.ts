import { type Caller, type OrgContext } from '../../auth';
import { Success } from '../../http';
import { SandboxCreateQuery, SandboxGetQuery, SandboxInfo, SandboxLogLines, SandboxLogsQuery, SandboxPage, SandboxPath, SandboxSearchQuery, SandboxSpecGetQuery, SandboxSpecInfo, SandboxSpecPage, SandboxSpecSearchQuery } from './sandboxes.dto';
import { SandboxesService } from './sandboxes.service';
import { SandboxLogs } from './sandbox-logs';
export declare class SandboxesController {
    private readonly sandboxes;
    private readonly logs;
    constructor(sandboxes: SandboxesService, logs: SandboxLogs);
    startSandbox(caller: Caller, org: OrgContext, query: SandboxCreateQuery): Promise<SandboxInfo>;
    batchGetSandboxes(caller: Caller, query: SandboxGetQuery): Promise<(SandboxInfo | null)[]>;
    searchSandboxes(caller: Caller, org: OrgContext, query: SandboxSearchQuery): Promise<SandboxPage>;
    pauseSandbox(caller: Caller, path: SandboxPath): Promise<Success>;
    resumeSandbox(caller: Caller, path: SandboxPath): Promise<Success>;
    deleteSandbox(caller: Caller, path: SandboxPath): Promise<Success>;
    getSandboxLogs(caller: Caller, path: SandboxPath, query: SandboxLogsQuery): Promise<SandboxLogLines>;
    batchGetSandboxSpecs(query: SandboxSpecGetQuery): (SandboxSpecInfo | null)[];
    searchSandboxSpecs(query: SandboxSpecSearchQuery): SandboxSpecPage;
}
