import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, IsNull, Repository } from 'typeorm';
import { AuthCaches } from '../../../kernel/auth';
import { Clock, newId } from '../../../kernel/common';
import { isUniqueViolation } from '../../../kernel/database';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { JobHandlers, JobQueue } from '../../../kernel/jobs';
import { LegalHoldError } from '../../legal-holds';
import type { Counts } from '../../personal-data';
import { Erasure } from './erasure.entity';
import { erasureJob } from './erasure-job';
import { type ErasureAim, type ErasurePlan, ErasurePlans } from './erasure-plans';
import { AlreadyErasedError, ErasureUnderWayError, type Obstacle } from './erasures.errors';

/** Who asks for which erasure. */
export interface ErasureRequest extends ErasureAim, Pick<Erasure, 'askedBy' | 'askedByUserId'> {
  /** Whether it begins later where a legal hold is in the way. */
  readonly whenLifted: boolean;
}

/** What an erasure would do. */
export interface ErasurePreview extends ErasureAim {
  readonly ofAccount: boolean;
  readonly counts: Counts;
  readonly obstacle: Obstacle | null;
}

const LOOK_EVERY_SECONDS = 600;

/** Erasures of people: asked for, begun, and seen to it that they are done (docs/personal-data.md#erasure). */
@Injectable()
export class Erasures {
  constructor(
    @InjectRepository(Erasure) private readonly erasures: Repository<Erasure>,
    private readonly plans: ErasurePlans,
    private readonly jobs: JobQueue,
    private readonly caches: AuthCaches,
    private readonly clock: Clock,
    handlers: JobHandlers,
  ) {
    handlers.every('idle-erasures', LOOK_EVERY_SECONDS, () => this.restart());
  }

  /** The last erasure of a person, or of what they have in an organization; null where none was asked for. */
  last({ userId, orgId }: ErasureAim): Promise<Erasure | null> {
    const everywhere = { userId, orgId: IsNull() };
    return this.erasures.findOne({
      where: orgId === null ? everywhere : [everywhere, { userId, orgId }],
      order: { createdAt: 'DESC' },
    });
  }

  /** What an erasure would do. @throws AlreadyErasedError */
  async preview(aim: ErasureAim): Promise<ErasurePreview> {
    const { manager } = this.erasures;
    const plan = await this.plans.of(manager, aim);
    if (plan === null) throw new AlreadyErasedError();
    const obstacle = (await this.plans.isHeld(manager, aim))
      ? 'legal_hold'
      : (await this.plans.leavesNoOwner(manager, plan))
        ? 'last_owner'
        : null;
    const { ofAccount } = plan.scope;
    return { ...aim, ofAccount, obstacle, counts: await this.plans.counts(plan.scope) };
  }

  /**
   * Begins an erasure, or notes it where it has to wait.
   * @throws AlreadyErasedError, ErasureUnderWayError, LastOwnerErasedError, LegalHoldError
   */
  async ask({ whenLifted, ...request }: ErasureRequest): Promise<Erasure> {
    const { userId, orgId } = request;
    const { counts } = await this.preview(request);
    const erasure = this.erasures.create({
      ...request,
      id: newId(),
      ofAccount: false,
      state: 'waiting',
      email: null,
      counts: { ...counts },
      createdAt: this.clock.now(),
      begunAt: null,
      finishedAt: null,
    });
    const asked = await this.erasures.manager
      .transaction(async (transaction) => {
        const plan = await this.plans.locked(transaction, { userId, orgId });
        if (plan === null) throw new AlreadyErasedError();
        const isHeld = await this.plans.isHeld(transaction, request);
        if (isHeld && !whenLifted) throw new LegalHoldError();
        await this.plans.checkLeaving(transaction, plan);
        await transaction.withRepository(this.erasures).insert(erasure);
        return isHeld ? erasure : this.begin(transaction, erasure, plan);
      })
      .catch((error: unknown) => {
        if (isUniqueViolation(error, 'erasures_open_key')) throw new ErasureUnderWayError({ cause: error });
        throw error;
      });
    this.caches.clear();
    return asked;
  }

  /** What waited for a hold begins when the last one is lifted. */
  @OnDomainEvent('legal_hold.lifted', { after: 'commit', name: 'legal-hold-lifted:erasures' })
  async beginWaiting({ org_id: orgId }: DomainEventOf<'legal_hold.lifted'>): Promise<void> {
    await this.beginAll([
      { state: 'waiting', orgId },
      { state: 'waiting', orgId: IsNull() },
    ]);
  }

  private async beginAll(where: FindOptionsWhere<Erasure>[]): Promise<void> {
    for (const { id, userId, orgId } of await this.erasures.find({ where }))
      await this.erasures.manager.transaction(async (transaction) => {
        const plan = await this.plans.locked(transaction, { userId, orgId });
        const erasure = await transaction.withRepository(this.erasures).findOneBy({ id, state: 'waiting' });
        if (erasure === null || (await this.plans.isHeld(transaction, erasure))) return;
        // Another erasure has ended the account meanwhile: what was held is still there.
        if (plan === null) await this.work(transaction, erasure, { ofAccount: false, email: null });
        else if (!(await this.plans.leavesNoOwner(transaction, plan)))
          await this.begin(transaction, erasure, plan);
      });
    this.caches.clear();
  }

  private async begin(transaction: EntityManager, erasure: Erasure, plan: ErasurePlan): Promise<Erasure> {
    await this.plans.leave(transaction, plan);
    return this.work(transaction, erasure, plan.scope);
  }

  private async work(
    transaction: EntityManager,
    erasure: Erasure,
    { ofAccount, email }: Pick<Erasure, 'ofAccount' | 'email'>,
  ): Promise<Erasure> {
    const begun = { state: 'working', ofAccount, email, begunAt: this.clock.now() } as const;
    await transaction.withRepository(this.erasures).update({ id: erasure.id }, begun);
    await this.jobs.add(transaction, erasureJob(erasure.id));
    return Object.assign(erasure, begun);
  }

  /** What was lost or given up, and what waited for another owner. */
  private async restart(): Promise<void> {
    await this.beginAll([{ state: 'waiting' }]);
    const idle = await this.erasures.find({ select: { id: true }, where: { state: 'working' } });
    await this.jobs.addAll(
      this.erasures.manager,
      idle.map(({ id }) => erasureJob(id)),
    );
  }
}
