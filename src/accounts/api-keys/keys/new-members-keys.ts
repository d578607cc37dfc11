import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Role } from '../../../kernel/auth';
import { OrgCredentialRulesService } from '../../orgs';
import { type IssuedKey, KeyIssuer, type KeyRequest } from './key-issuer';

/** Keys of those who become members. */
@Injectable()
export class NewMembersKeys {
  constructor(
    private readonly issuer: KeyIssuer,
    private readonly rules: OrgCredentialRulesService,
  ) {}

  /** Issues a key that meets the rules of the organization that its user joins: it may end before it was to, and have scopes. */
  async issue(
    transaction: EntityManager,
    request: KeyRequest,
    { orgId, role }: { readonly orgId: string; readonly role: Role },
  ): Promise<IssuedKey> {
    const { expiresAt, scopes } = await this.rules.forNewMember(transaction, orgId, role);
    const wanted = request.expiresAt ?? null;
    const isEarlier = wanted !== null && (expiresAt === null || wanted < expiresAt);
    return this.issuer.issue(transaction, { ...request, scopes, expiresAt: isEarlier ? wanted : expiresAt });
  }

  /** Revokes all keys of a user. */
  async revokeAll(transaction: EntityManager, userId: string): Promise<void> {
    await this.issuer.revoke(transaction, { userId });
  }
}
