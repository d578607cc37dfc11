import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, MoreThanOrEqual, Repository } from 'typeorm';
import type { Caller, OrgContext } from '../../kernel/auth';
import { clampLimit, Clock, newId, PageIds, pageOf, parseUuid, storableText } from '../../kernel/common';
import { DomainEvents } from '../../kernel/domain-events';
import { ValidationError } from '../../kernel/validation';
import { AccountLocks, type PageQuery } from '../orgs';
import { creatorOf, isOfOrganization, isUnderErasure } from './held.read-model';
import { LegalHold } from './legal-hold.entity';
import type { LegalHoldCreate, LegalHoldPage, LegalHoldResponse } from './legal-holds.dto';
import {
  HeldIsErasedError,
  HeldNotFoundError,
  LegalHoldLiftedError,
  LegalHoldNotFoundError,
  TooManyLegalHoldsError,
} from './legal-holds.errors';
import { MAX_HOLDS } from './limits';

const PAGES = PageIds.byId('legal-holds');

/** Holds of organizations on conversations and people (docs/personal-data.md#legal-holds). */
@Injectable()
export class LegalHoldsService {
  constructor(
    @InjectRepository(LegalHold) private readonly holds: Repository<LegalHold>,
    private readonly locks: AccountLocks,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /** A page of them, lifted ones included, by id. @throws PageIdInvalidError */
  async list({ orgId }: OrgContext, query: PageQuery): Promise<LegalHoldPage> {
    const limit = clampLimit(query.limit);
    const from = PAGES.read(query.page_id);
    const rows = await this.holds.find({
      where: { orgId, ...(from !== null && { id: MoreThanOrEqual(from) }) },
      order: { id: 'ASC' },
      take: limit + 1,
    });
    return pageOf(rows, limit, toResponse, ({ id }) => PAGES.write(id));
  }

  /**
   * Holds a conversation or a person from now on.
   * @throws ValidationError, HeldNotFoundError, HeldIsErasedError, TooManyLegalHoldsError
   */
  async create(caller: Caller, { orgId }: OrgContext, wanted: LegalHoldCreate): Promise<LegalHoldResponse> {
    const { conversation_id: conversationId = null, user_id: userId = null, reason } = wanted;
    if ((conversationId === null) === (userId === null)) throw notOne();
    const hold = this.holds.create({
      id: newId(),
      orgId,
      conversationId,
      userId,
      reason: storableText(reason),
      createdByUserId: caller.userId,
      createdAt: this.clock.now(),
      liftedAt: null,
      liftedByUserId: null,
    });
    await this.holds.manager.transaction(async (transaction) => {
      await this.locks.organization(transaction, orgId);
      const holds = transaction.withRepository(this.holds);
      if ((await holds.countBy({ orgId })) >= MAX_HOLDS) throw new TooManyLegalHoldsError();
      await this.checkHeld(transaction, hold);
      await holds.insert(hold);
      await this.events.publish(transaction, {
        kind: 'legal_hold.created',
        ...about(hold),
        user_id: caller.userId,
      });
    });
    return toResponse(hold);
  }

  /** Ends a hold, of which the record stays. @throws LegalHoldNotFoundError, LegalHoldLiftedError */
  async lift(
    { userId }: Pick<Caller, 'userId'>,
    { orgId }: OrgContext,
    text: string,
  ): Promise<LegalHoldResponse> {
    const id = parseUuid(text);
    return this.holds.manager.transaction(async (transaction) => {
      await this.locks.organization(transaction, orgId);
      const holds = transaction.withRepository(this.holds);
      const hold = id === null ? null : await holds.findOneBy({ orgId, id });
      if (hold === null) throw new LegalHoldNotFoundError();
      if (hold.liftedAt !== null) throw new LegalHoldLiftedError();
      const lifted = { liftedAt: this.clock.now(), liftedByUserId: userId };
      await holds.update({ id: hold.id, liftedAt: IsNull() }, lifted);
      await this.events.publish(transaction, { kind: 'legal_hold.lifted', ...about(hold), user_id: userId });
      return toResponse(Object.assign(hold, lifted));
    });
  }

  /** Locks the person whom it is about: whoever deletes or erases something of theirs does so, too. */
  private async checkHeld(
    transaction: EntityManager,
    { orgId, conversationId, userId }: Pick<LegalHold, 'orgId' | 'conversationId' | 'userId'>,
  ): Promise<void> {
    const person = conversationId === null ? userId : await creatorOf(transaction, orgId, conversationId);
    if (person === null || !(await this.locks.user(transaction, person))) throw new HeldNotFoundError();
    if (await isUnderErasure(transaction, orgId, person)) throw new HeldIsErasedError();
    const isThere =
      conversationId === null
        ? await isOfOrganization(transaction, orgId, person)
        : (await creatorOf(transaction, orgId, conversationId)) !== null;
    if (!isThere) throw new HeldNotFoundError();
  }
}

function about({ id, orgId, conversationId, userId }: LegalHold) {
  return { org_id: orgId, legal_hold_id: id, conversation_id: conversationId, held_user_id: userId };
}

function toResponse(hold: LegalHold): LegalHoldResponse {
  return {
    id: hold.id,
    conversation_id: hold.conversationId,
    user_id: hold.userId,
    reason: hold.reason,
    created_by_user_id: hold.createdByUserId,
    created_at: hold.createdAt.toISOString(),
    lifted_at: hold.liftedAt?.toISOString() ?? null,
    lifted_by_user_id: hold.liftedByUserId,
  };
}

function notOne(): ValidationError {
  const msg = 'Value error, a hold is on a conversation or on a person';
  const issue = { type: 'value_error', loc: ['body', 'user_id'], msg, input: null };
  return new ValidationError([issue], { status: 422, plain: true });
}
