import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, LessThan, MoreThan, Repository } from 'typeorm';
import { Clock, storableText } from '../../../../kernel/common';
import { JobHandlers } from '../../../../kernel/jobs';
import type { Sandbox } from '../sandbox.entity';
import { KEEP_LOG } from './kept-log.query';
import { MAX_KEPT_LOG, SandboxKeptLog } from './sandbox-kept-log.entity';

const KEPT_FOR = '1 hour';
const CLEAN_UP_SECONDS = 600;

/** How much of a log is kept. */
export const KEPT_LOG = { lines: 1_000, bytes: MAX_KEPT_LOG };

/** Logs of sandboxes that failed starts gave back, for an hour (docs/contract.md#logs-of-a-sandbox). */
@Injectable()
export class KeptLogs {
  constructor(
    @InjectRepository(SandboxKeptLog) private readonly logs: Repository<SandboxKeptLog>,
    private readonly clock: Clock,
    handlers: JobHandlers,
  ) {
    handlers.every('kept-sandbox-logs', CLEAN_UP_SECONDS, async () => {
      await this.logs.delete({ keptUntil: LessThan(this.clock.now()) });
    });
  }

  /** Stores the log of a sandbox that is about to be deleted. */
  async keep(transaction: EntityManager, { id, orgId }: Pick<Sandbox, 'id' | 'orgId'>): Promise<void> {
    await KEEP_LOG.rows(transaction, [id, orgId, KEPT_FOR]);
  }

  /** Whether the log of a sandbox is to be read before its deletion. */
  isAwaited(sandboxId: string): Promise<boolean> {
    return this.logs.existsBy({ sandboxId });
  }

  /** @param lines null where nobody has its log */
  async store(sandboxId: string, lines: readonly string[] | null): Promise<void> {
    if (lines === null) await this.logs.delete({ sandboxId });
    else await this.logs.update({ sandboxId }, { lines: lastBytes(lines) });
  }

  /** @returns null where no log is kept; `lines` is null until it was read */
  async find(sandboxId: string): Promise<{ readonly lines: readonly string[] | null } | null> {
    const kept = await this.logs.findOneBy({ sandboxId, keptUntil: MoreThan(this.clock.now()) });
    if (kept === null) return null;
    return { lines: kept.lines === null ? null : kept.lines.split('\n').slice(0, -1) };
  }
}

/** Lines as they are stored, each with its end: the last ones, as many as there is room for. */
function lastBytes(lines: readonly string[]): string {
  const fitting: string[] = [];
  let bytes = 0;
  for (const line of lines.map(storableText).reverse()) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_KEPT_LOG) break;
    fitting.unshift(`${line}\n`);
  }
  return fitting.join('');
}
