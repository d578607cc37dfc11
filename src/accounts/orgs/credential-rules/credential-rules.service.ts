import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import {
  AuthCaches,
  type OrgContext,
  outranks,
  PermissionDeniedError,
  PermissionTable,
  type Role,
  type RuledCredential,
  whyNotAccepted,
} from '../../../kernel/auth';
import { Clock } from '../../../kernel/common';
import { lockForTransaction } from '../../../kernel/database';
import { DomainEvents } from '../../../kernel/domain-events';
import { OrgCredentialRules } from '../record/org-credential-rules.entity';
import { RulesRefuseOwnKeyError } from '../organizations/orgs.errors';
import type { CredentialRulesResponse, CredentialRulesUpdate } from './credential-rules.dto';
import { type KeyMakerRow, selectKeyMaker } from './credential-rules.query';

const DAY_MS = 86_400_000;

/** For how long a key works that is made when an invitation is accepted, where keys have to end some time. */
const INVITED_DAYS = 90;

/** What of a key that is to be made the rules are about. */
export interface RuledKey {
  readonly expiresAt: Date | null;
  readonly scopes: readonly string[] | null;
}

type Rules = Omit<CredentialRulesUpdate, 'force'>;

/** What organizations ask of the keys that are used in them (docs/contract.md#rules-for-keys). */
@Injectable()
export class OrgCredentialRulesService {
  constructor(
    @InjectRepository(OrgCredentialRules) private readonly rules: Repository<OrgCredentialRules>,
    private readonly permissions: PermissionTable,
    private readonly events: DomainEvents,
    private readonly caches: AuthCaches,
    private readonly clock: Clock,
  ) {}

  /** The rules of an organization. */
  async get(orgId: string): Promise<CredentialRulesResponse> {
    return toResponse(await this.rules.findOneBy({ orgId }));
  }

  /**
   * Replaces the rules of an organization. What counts beside its provider of identities is decided by who may decide on that.
   * @throws RulesRefuseOwnKeyError, PermissionDeniedError
   */
  async set(
    credential: RuledCredential,
    { orgId, permissions }: OrgContext,
    { force, ...wanted }: CredentialRulesUpdate,
  ): Promise<CredentialRulesResponse> {
    const row = toRow(orgId, wanted);
    if (!force && whyNotAccepted(credential, { ...row, onlyProviderId: null }, this.clock.now()) !== null)
      throw new RulesRefuseOwnKeyError();
    await this.rules.manager.transaction(async (transaction) => {
      await lockForTransaction(transaction, `credential-rules:${orgId}`);
      const rules = transaction.withRepository(this.rules);
      const before = toResponse(await rules.findOneBy({ orgId }));
      const fields = changed(before, wanted);
      if (fields.length === 0) return;
      if (fields.includes('keys_beside_provider') && !permissions.has('manage_identity_providers'))
        throw new PermissionDeniedError('manage_identity_providers');
      await rules.upsert({ ...row, updatedAt: () => 'now()' }, ['orgId']);
      await this.events.publish(transaction, {
        kind: 'settings.updated',
        org_id: orgId,
        user_id: null,
        fields,
      });
    });
    this.caches.clear();
    return this.get(orgId);
  }

  /**
   * Why a user may not make a key, by the rules of the organizations that it is for, in one sentence.
   * @param orgId of the one that it is bound to; null for one that works in all of the user's
   * @returns null where they may
   */
  async whyNotMade(userId: string, orgId: string | null, key: RuledKey): Promise<string | null> {
    const now = this.clock.now();
    const organizations = await selectKeyMaker(this.rules.manager, userId, orgId);
    for (const organization of organizations) {
      const reason = whyNotMade(organization, key, now);
      if (reason !== null) return reason;
    }
    return null;
  }

  /**
   * How long a key works, and what it can do at most, that is made for somebody who becomes a member, so that the organization
   * accepts it.
   */
  async forNewMember(transaction: EntityManager, orgId: string, role: Role): Promise<RuledKey> {
    const rules = await transaction.withRepository(this.rules).findOneBy({ orgId });
    const days = rules?.longestKeyDays ?? (rules?.expiryRequired === true ? INVITED_DAYS : null);
    return {
      expiresAt: days === null ? null : new Date(this.clock.now().getTime() + days * DAY_MS),
      scopes: rules?.scopesRequired === true ? this.permissions.of(role) : null,
    };
  }
}

function whyNotMade(
  { name, role, longest_key_days: days, expiry_required, scopes_required, key_makers }: KeyMakerRow,
  { expiresAt, scopes }: RuledKey,
  now: Date,
): string | null {
  if (outranks(key_makers, role)) return `In ${name}, keys are made by nobody below the role ${key_makers}.`;
  if (days !== null && (expiresAt === null || expiresAt.getTime() - now.getTime() > days * DAY_MS))
    return `In ${name}, keys need an expires_at within ${days} days.`;
  if (expiry_required && expiresAt === null) return `In ${name}, keys need an expires_at.`;
  if (scopes_required && scopes === null) return `In ${name}, keys need scopes.`;
  return null;
}

function toRow(orgId: string, rules: Rules): Omit<OrgCredentialRules, 'updatedAt' | 'onlyProviderId'> {
  return {
    orgId,
    longestKeyDays: rules.longest_key_days,
    expiryRequired: rules.expiry_required,
    scopesRequired: rules.scopes_required,
    keyMakers: rules.key_makers,
    keysBesideProvider: rules.keys_beside_provider,
  };
}

/** @param row null where an organization has no rules */
function toResponse(row: OrgCredentialRules | null): CredentialRulesResponse {
  return {
    longest_key_days: row?.longestKeyDays ?? null,
    expiry_required: row?.expiryRequired ?? false,
    scopes_required: row?.scopesRequired ?? false,
    key_makers: row?.keyMakers ?? 'member',
    keys_beside_provider: row?.keysBesideProvider ?? false,
    updated_at: row?.updatedAt.toISOString() ?? null,
  };
}

/** The names of those rules that differ. */
function changed(before: Rules, after: Rules): string[] {
  const names = [
    'longest_key_days',
    'expiry_required',
    'scopes_required',
    'key_makers',
    'keys_beside_provider',
  ] as const;
  return names.filter((name) => before[name] !== after[name]);
}
