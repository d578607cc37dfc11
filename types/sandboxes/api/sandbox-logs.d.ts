import type { Caller } from '../../auth';
import { SandboxRuntime } from '../access/sandbox-runtime';
import { Hosts } from '../hosts/hosts';
import type { SandboxLogLines } from './sandboxes.dto';
import { SandboxesService } from './sandboxes.service';
/** What agent servers wrote to their output (docs/contract.md#logs-of-a-sandbox). */
export declare class SandboxLogs {
    private readonly sandboxes;
    private readonly runtime;
    private readonly hosts;
    private readonly log;
    constructor(sandboxes: SandboxesService, runtime: SandboxRuntime, hosts: Hosts);
    /**
     * The end of the log of a sandbox's last run.
     * @throws SandboxNotFoundError, SandboxLogsUnavailableError, SandboxLogsElsewhereError, SandboxDriverUnavailableError
     */
    last(caller: Caller, id: string, lines: number): Promise<SandboxLogLines>;
}
