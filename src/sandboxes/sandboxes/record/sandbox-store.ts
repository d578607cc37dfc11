import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Repository } from 'typeorm';
import { DomainEvents } from '../../../kernel/domain-events';
import { JobQueue, hostBound, type NewJob } from '../../../kernel/jobs';
import { SandboxLeftover } from './sandbox-leftover.entity';
import { Sandbox } from './sandbox.entity';

/** Name of the job that brings a sandbox to its desired state, as the database has it. */
export const RECONCILE = 'sandbox-drive';

/**
 * That job for one sandbox; it waits in one copy only.
 * @param runAt default: at once
 */
function reconcileJob(sandbox: { id: string; hostId: string | null }, runAt?: Date): NewJob {
  return {
    name: sandbox.hostId === null ? RECONCILE : hostBound(RECONCILE, sandbox.hostId),
    payload: { id: sandbox.id },
    key: `sandbox:${sandbox.id}`,
    ...(runAt !== undefined && { runAt }),
  };
}

/** How long a run that reconciles a sandbox owns it without renewing its lease. */
const LEASE_MS = 10_000;

/** What a change of a sandbox writes and causes; null leaves the sandbox as it is. */
export type Decision = {
  readonly set?: Partial<Sandbox>;
  /** Has the sandbox reconciled this much later. */
  readonly reconcileInMs?: number;
  /** Has its host remove what may be left on it of a sandbox that is given up. */
  readonly leftover?: boolean;
} | null;

/**
 * @param sandbox as it is under the lock of its row
 * @param now by the database's clock, which all replicas share
 */
type Decide = (sandbox: Sandbox, now: Date) => Decision;

/** A sandbox, and the time by the database's clock at which it was read. */
export interface SandboxAt {
  readonly sandbox: Sandbox;
  readonly now: Date;
}

/** What a new sandbox has of its own. */
type NewSandbox = Pick<Sandbox, 'id' | 'orgId' | 'createdByUserId' | 'driver' | 'hostId'> &
  Partial<Pick<Sandbox, 'sealedSessionKey' | 'sessionKeyDigest'>>;

/** The one place where sandboxes are written, under the lock of their row. */
@Injectable()
export class SandboxStore {
  constructor(
    @InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>,
    private readonly jobs: JobQueue,
    private readonly events: DomainEvents,
  ) {}

  /** Adds a sandbox that is to be started within a time, publishes its first status, and has it reconciled. */
  async insert(transaction: EntityManager, sandbox: NewSandbox, startSeconds: number): Promise<void> {
    await transaction.insert(Sandbox, {
      ...sandbox,
      status: 'STARTING',
      lastActivityAt: () => 'now()',
      deadlineAt: () => `now() + interval '${startSeconds} seconds'`,
    });
    await this.publish(transaction, { ...sandbox, status: 'STARTING', stopping: null, statusDetail: null });
    await this.jobs.add(transaction, reconcileJob(sandbox));
  }

  /**
   * Changes a sandbox according to its current state, and publishes a new status.
   * @param transaction default: one of its own
   * @returns the sandbox after the change, or null when nothing was changed
   */
  async change(id: string, decide: Decide, transaction?: EntityManager): Promise<SandboxAt | null> {
    if (transaction === undefined)
      return this.sandboxes.manager.transaction((tx) => this.change(id, decide, tx));
    const found = await readLocked(transaction, id);
    const decision = found === null ? null : decide(found.sandbox, found.now);
    if (found === null || decision === null) return null;
    const sandbox = await this.write(transaction, found.sandbox, decision.set ?? {});
    if (decision.leftover === true) await addLeftover(transaction, sandbox);
    if (decision.reconcileInMs !== undefined)
      await this.jobs.add(transaction, reconcileJob(sandbox, runAt(found.now, decision.reconcileInMs)));
    return { sandbox, now: found.now };
  }

  /** As {@link change}, for a run that has leased the sandbox: null also when a later run has it now. */
  changeAs(fence: number, id: string, decide: Decide): Promise<SandboxAt | null> {
    return this.change(id, (sandbox, now) => (sandbox.fence === fence ? decide(sandbox, now) : null));
  }

  /** Has a sandbox reconciled; nothing happens where there is none. */
  async reconcile(id: string, inMs = 0): Promise<void> {
    await this.change(id, () => ({ reconcileInMs: inMs }));
  }

  /** Keeps sandboxes as they are until the transaction ends. */
  async lock(transaction: EntityManager, ids: readonly string[]): Promise<void> {
    await transaction
      .createQueryBuilder(Sandbox, 'sandbox')
      .select('sandbox.id')
      .where({ id: In(ids) })
      .orderBy('sandbox.id')
      .setLock('pessimistic_write')
      .getMany();
  }

  /**
   * Leases a sandbox for a run.
   * @returns the sandbox, or why not: another run has it, or there is none
   */
  async lease(id: string, fence: number): Promise<SandboxAt | 'busy' | 'unknown'> {
    const leased = await this.change(id, (sandbox, now) => {
      const isFree = sandbox.leasedUntil === null || sandbox.leasedUntil <= now;
      return isFree && sandbox.fence < fence ? { set: { fence, leasedUntil: leaseEnd(now) } } : null;
    });
    if (leased !== null) return leased;
    return (await this.sandboxes.existsBy({ id })) ? 'busy' : 'unknown';
  }

  /** Extends a lease and reads the sandbox again; null when a later run has it. */
  renew(id: string, fence: number): Promise<SandboxAt | null> {
    return this.changeAs(fence, id, (_, now) => ({ set: { leasedUntil: leaseEnd(now) } }));
  }

  /** Gives a lease back. */
  async release(id: string, fence: number): Promise<void> {
    await this.changeAs(fence, id, () => ({ set: { leasedUntil: null } }));
  }

  private async write(transaction: EntityManager, sandbox: Sandbox, set: Partial<Sandbox>): Promise<Sandbox> {
    if (Object.keys(set).length === 0) return sandbox;
    const { id, status, stopping } = sandbox;
    const after = Object.assign(sandbox, set);
    await transaction.update(Sandbox, { id }, set);
    if (after.status !== status || after.stopping !== stopping) await this.publish(transaction, after);
    return after;
  }

  private async publish(
    transaction: EntityManager,
    sandbox: Pick<Sandbox, 'id' | 'orgId' | 'status' | 'stopping' | 'statusDetail'>,
  ): Promise<void> {
    await this.events.publish(transaction, {
      kind: 'sandbox.status_changed',
      org_id: sandbox.orgId,
      sandbox_id: sandbox.id,
      status: sandbox.status,
      stopping: sandbox.stopping !== null,
      status_detail: sandbox.statusDetail,
    });
  }
}

/** `now()` would be the start of the transaction, which may have waited for the lock of the row. */
async function readLocked(transaction: EntityManager, id: string): Promise<SandboxAt | null> {
  const { entities, raw } = await transaction
    .createQueryBuilder(Sandbox, 'sandbox')
    .addSelect('clock_timestamp()', 'now')
    .where({ id })
    .setLock('pessimistic_write')
    .getRawAndEntities<{ now: Date }>();
  const [sandbox] = entities;
  const [row] = raw;
  return sandbox === undefined || row === undefined ? null : { sandbox, now: row.now };
}

async function addLeftover(transaction: EntityManager, { id, hostId, driver }: Sandbox): Promise<void> {
  if (hostId === null) return;
  await transaction.upsert(SandboxLeftover, { sandboxId: id, hostId, driver }, ['sandboxId']);
}

function runAt(now: Date, inMs: number): Date | undefined {
  return inMs === 0 ? undefined : new Date(now.getTime() + inMs);
}

function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}
