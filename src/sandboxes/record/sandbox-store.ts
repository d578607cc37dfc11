import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../common';
import { JobQueue } from '../../jobs';
import { SandboxObservers } from './sandbox.ports';
import { reconcileJob } from './sandbox-jobs';
import { SandboxLeftover } from './sandbox-leftover.entity';
import { Sandbox } from './sandbox.entity';

/** How long a run that drives a sandbox is alone with it without saying so again. */
const CLAIM_MS = 10_000;

/**
 * What a change writes; `drive` also has the sandbox looked after, and `leftover` has its host remove what it
 * may still hold of one that is given up.
 */
export type Decision = {
  readonly set: Partial<Sandbox>;
  readonly drive?: boolean;
  readonly leftover?: boolean;
} | null;

/** The one place where sandboxes are written, under the lock of their row. */
@Injectable()
export class SandboxStore {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly observers: SandboxObservers,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes a sandbox as its state of this moment demands, and tells observers of a new status.
   * @param decide null leaves it as it is
   * @param transaction default: one of its own
   * @returns the sandbox after the change, or null when nothing was changed
   */
  async change(
    id: string,
    decide: (sandbox: Sandbox) => Decision,
    transaction?: EntityManager,
  ): Promise<Sandbox | null> {
    if (transaction === undefined) return this.database.transaction((tx) => this.change(id, decide, tx));
    const sandbox = await transaction.findOne(Sandbox, {
      where: { id },
      lock: { mode: 'pessimistic_write' },
    });
    const decision = sandbox === null ? null : decide(sandbox);
    if (sandbox === null || decision === null) return null;
    const { status, stopping } = sandbox;
    const after = Object.assign(sandbox, decision.set);
    await transaction.update(Sandbox, { id }, decision.set);
    if (after.status !== status || after.stopping !== stopping)
      await this.observers.notify(transaction, {
        sandboxId: id,
        status: after.status,
        statusDetail: after.statusDetail,
      });
    if (decision.leftover === true && after.hostId !== null)
      await transaction.upsert(
        SandboxLeftover,
        { sandboxId: id, hostId: after.hostId, driver: after.driver },
        ['sandboxId'],
      );
    if (decision.drive === true) await this.jobs.add(transaction, reconcileJob(after));
    return after;
  }

  /** As {@link change}, for a run that has claimed the sandbox: null also when a later run has it now. */
  changeAs(fence: number, id: string, decide: (sandbox: Sandbox) => Decision): Promise<Sandbox | null> {
    return this.change(id, (sandbox) => (sandbox.fence === fence ? decide(sandbox) : null));
  }

  /**
   * Claims a sandbox for a run.
   * @returns the sandbox, or why not: another run has it, or there is none
   */
  async claim(id: string, fence: number): Promise<Sandbox | 'busy' | 'unknown'> {
    const claimed = await this.change(id, (sandbox) => {
      const isFree = sandbox.claimedUntil === null || sandbox.claimedUntil <= this.clock.now();
      return isFree && sandbox.fence < fence ? { set: { fence, claimedUntil: this.claimEnd() } } : null;
    });
    if (claimed !== null) return claimed;
    return (await this.database.manager.existsBy(Sandbox, { id })) ? 'busy' : 'unknown';
  }

  /** Keeps a claim, and reads what the sandbox is now; null when a later run has it. */
  renew(id: string, fence: number): Promise<Sandbox | null> {
    return this.changeAs(fence, id, () => ({ set: { claimedUntil: this.claimEnd() } }));
  }

  /** Lets go of a claim. */
  async release(id: string, fence: number): Promise<void> {
    await this.changeAs(fence, id, () => ({ set: { claimedUntil: null } }));
  }

  private claimEnd(): Date {
    return new Date(this.clock.now().getTime() + CLAIM_MS);
  }
}
