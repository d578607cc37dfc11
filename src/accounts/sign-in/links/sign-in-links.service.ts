import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Raw, Repository } from 'typeorm';
import { type Caller, mayActAs, type OrgContext, toGive } from '../../../kernel/auth';
import { newId, parseUuid } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import {
  AccountLocks,
  MemberNotFoundError,
  MembershipService,
  RankTooLowError,
  ServiceAccountError,
} from '../../orgs';
import { SignIn } from '../session/sign-in.service';
import { ProofMails, ProofSecrets } from '../proofs/proof-mails';
import { SignInLinkLimitError, SignInOffError } from '../proofs/sign-in.errors';
import { SignInProof } from '../proofs/sign-in-proof.entity';
import { dateTime, Field, string } from '../../../kernel/validation';

/** A link that signs a member in, once. */
export class SignInLink {
  @Field(string(), {
    nullable: true,
    description: 'Give it to the member. Shown this once: a replay has null here.',
    example: 'https://agents.example.com/login/link?token=q3…',
  })
  url!: string | null;

  @Field(dateTime(), { description: 'Until when it works.', example: '2026-11-21T10:30:00.000Z' })
  expires_at!: string;
}

/** Links for one member in an hour: the member is notified of each. */
export const MAX_LINKS = 5;

/** Links with which administrators let in who lost their key (docs/contract.md#sign-in-links). */
@Injectable()
export class SignInLinks {
  constructor(
    @InjectRepository(SignInProof) private readonly proofs: Repository<SignInProof>,
    private readonly secrets: ProofSecrets,
    private readonly mails: ProofMails,
    private readonly members: MembershipService,
    private readonly locks: AccountLocks,
    private readonly events: DomainEvents,
    private readonly signIn: SignIn,
  ) {}

  /** @throws SignInOffError, MemberNotFoundError, ServiceAccountError, RankTooLowError, SignInLinkLimitError */
  async create(caller: Caller, org: OrgContext, userText: string): Promise<SignInLink> {
    const { orgId } = org;
    if (!this.signIn.isOffered) throw new SignInOffError();
    const userId = parseUuid(userText);
    if (userId === null) throw new MemberNotFoundError();
    const id = newId();
    await this.proofs.manager.transaction(async (transaction) => {
      const user = await this.locks.organizationAndUser(transaction, orgId, userId);
      const theirs = await this.members.standingIn(transaction, { orgId, userId });
      if (user === null || theirs === null) throw new MemberNotFoundError();
      const { email } = user;
      if (email === null) throw new ServiceAccountError();
      const maker = await this.members.standingIn(transaction, { orgId, userId: caller.userId });
      if (maker === null || !mayActAs(toGive(maker, org), theirs)) throw new RankTooLowError();
      await this.checkCount(transaction, { orgId, userId });
      await transaction.withRepository(this.proofs).insert({
        id,
        orgId,
        userId,
        email,
        madeByUserId: caller.userId,
        tokenDigest: this.secrets.tokenDigestOf(id),
        createdAt: () => 'clock_timestamp()',
        expiresAt: () => `clock_timestamp() + interval '1 hour'`,
      });
      await this.events.publish(transaction, {
        kind: 'member.sign_in_link_created',
        org_id: orgId,
        user_id: userId,
        made_by_user_id: caller.userId,
      });
      await this.mails.queue(transaction, id);
    });
    const { expiresAt } = await this.proofs.findOneByOrFail({ id });
    return { url: this.secrets.linkOf(id), expires_at: expiresAt.toISOString() };
  }

  private async checkCount(
    transaction: EntityManager,
    whose: { readonly orgId: string; readonly userId: string },
  ): Promise<void> {
    const count = await transaction.withRepository(this.proofs).countBy({
      ...whose,
      createdAt: Raw((column) => `${column} > clock_timestamp() - interval '1 hour'`),
    });
    if (count >= MAX_LINKS) throw new SignInLinkLimitError(MAX_LINKS);
  }
}
