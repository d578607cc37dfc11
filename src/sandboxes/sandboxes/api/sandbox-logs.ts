import { Injectable, Logger } from '@nestjs/common';
import type { Caller } from '../../../kernel/auth';
import { messageOf } from '../../../kernel/common';
import { SandboxRuntime } from '../access/sandbox-runtime';
import { Hosts } from '../hosts/hosts';
import { KeptLogs } from '../record/kept-logs/kept-logs';
import {
  SandboxDriverUnavailableError,
  SandboxLogsElsewhereError,
  SandboxLogsUnavailableError,
  SandboxNotFoundError,
} from '../record/sandboxes.errors';
import type { SandboxLogLines } from './sandboxes.dto';
import { SandboxesService } from './sandboxes.service';

const MAX_LINES = 1_000;
const MAX_BYTES = 256 * 1024;

/** What agent servers wrote to their output (docs/contract.md#logs-of-a-sandbox). */
@Injectable()
export class SandboxLogs {
  private readonly log = new Logger('Sandboxes');

  constructor(
    private readonly sandboxes: SandboxesService,
    private readonly runtime: SandboxRuntime,
    private readonly hosts: Hosts,
    private readonly kept: KeptLogs,
  ) {}

  /**
   * The end of the log of a sandbox's last run; of one that a failed start gave back for a while.
   * @throws SandboxNotFoundError, SandboxLogsUnavailableError, SandboxLogsElsewhereError, SandboxDriverUnavailableError
   */
  async last(caller: Caller, id: string, lines: number): Promise<SandboxLogLines> {
    const sandbox = await this.sandboxes.find(caller, id);
    if (sandbox === null) throw new SandboxNotFoundError();
    const kept = await this.kept.find(sandbox.id);
    if (kept !== null && (kept.lines !== null || sandbox.status === 'MISSING'))
      return { lines: (kept.lines ?? []).slice(-lines) };
    if (sandbox.status === 'MISSING') throw new SandboxNotFoundError();
    const limit = { lines: Math.min(lines, MAX_LINES), bytes: MAX_BYTES };
    if (!(await this.hosts.reaches(sandbox.hostId))) throw new SandboxLogsElsewhereError();
    const found = await this.runtime.logs(sandbox, limit).catch((error: unknown) => {
      this.log.warn(`The log of sandbox ${sandbox.id} could not be read: ${messageOf(error)}`);
      throw new SandboxDriverUnavailableError();
    });
    if (found === null) throw new SandboxLogsUnavailableError();
    return { lines: [...found] };
  }
}
