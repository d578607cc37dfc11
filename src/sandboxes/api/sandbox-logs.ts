import { Injectable } from '@nestjs/common';
import type { Caller } from '../../auth';
import { SandboxRuntime } from '../access/sandbox-runtime';
import { Hosts } from '../hosts/hosts';
import { SandboxLogsElsewhereError, SandboxLogsUnavailableError } from '../record/sandboxes.errors';
import type { SandboxLogLines } from './sandboxes.dto';
import { SandboxesService } from './sandboxes.service';

const MAX_LINES = 1_000;
const MAX_BYTES = 256 * 1024;

/** What agent servers wrote to their output (docs/contract.md#logs-of-a-sandbox). */
@Injectable()
export class SandboxLogs {
  constructor(
    private readonly sandboxes: SandboxesService,
    private readonly runtime: SandboxRuntime,
    private readonly hosts: Hosts,
  ) {}

  /**
   * The end of the log of a sandbox's last run.
   * @throws SandboxNotFoundError, SandboxLogsUnavailableError, SandboxLogsElsewhereError
   */
  async last(caller: Caller, id: string, lines: number): Promise<SandboxLogLines> {
    const sandbox = await this.sandboxes.require(caller, id);
    const limit = { lines: Math.min(lines, MAX_LINES), bytes: MAX_BYTES };
    if (!(await this.hosts.reaches(sandbox.hostId))) throw new SandboxLogsElsewhereError();
    const found = await this.runtime.logs(sandbox, limit);
    if (found === null) throw new SandboxLogsUnavailableError();
    return { lines: [...found] };
  }
}
