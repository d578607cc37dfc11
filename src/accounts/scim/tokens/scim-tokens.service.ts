import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Caller, OrgContext } from '../../../kernel/auth';
import { Clock, digestOf, newId, parseUuid, storableText } from '../../../kernel/common';
import { publicUrl, SETTINGS, type Settings } from '../../../kernel/config';
import { DomainEvents } from '../../../kernel/domain-events';
import { displayPrefix, KeyPolicies, newDirectoryToken } from '../../api-keys';
import { SCIM_PATH } from '../protocol/scim-operations';
import { DirectoryChanges } from '../record/directory-changes';
import { MAX_TOKENS } from '../record/limits';
import { ScimToken } from '../record/scim-token.entity';
import { ScimTokenExpiryError, ScimTokenNotFoundError, TooManyScimTokensError } from '../record/scim.errors';
import type { ScimTokenCreate, ScimTokenCreated, ScimTokenResponse } from './scim-tokens.dto';

/** The tokens with which the directory of an organization tells of people and groups (docs/scim.md#tokens). */
@Injectable()
export class ScimTokens {
  constructor(
    @InjectRepository(ScimToken) private readonly tokens: Repository<ScimToken>,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly changes: DirectoryChanges,
    private readonly policies: KeyPolicies,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /** The tokens of the organization, oldest first. */
  async list({ orgId }: OrgContext): Promise<ScimTokenResponse[]> {
    const tokens = await this.tokens.find({ where: { orgId }, order: { createdAt: 'ASC', id: 'ASC' } });
    return tokens.map(toResponse);
  }

  /**
   * Makes a token, which can do more than any key: so whoever asks with a key that cannot do all that its user may gets none.
   * @throws KeyExceedsMakerError, KeyOutlivesMakerError, KeyAgainstRulesError, ScimTokenExpiryError, TooManyScimTokensError; what the
   *   policy of an extension throws
   */
  async create(
    caller: Caller,
    { orgId }: OrgContext,
    { name, expires_at: expiresAt }: ScimTokenCreate,
  ): Promise<ScimTokenCreated> {
    await this.policies.checkUnbounded(caller, orgId);
    if (expiresAt !== null && expiresAt <= this.clock.now()) throw new ScimTokenExpiryError();
    const token = newDirectoryToken();
    const row = this.tokens.create({
      id: newId(),
      orgId,
      name: storableText(name),
      prefix: displayPrefix(token),
      digest: digestOf(token),
      lastUsedAt: null,
      expiresAt,
    });
    await this.changes.make(orgId, async (transaction) => {
      const tokens = transaction.withRepository(this.tokens);
      if ((await tokens.countBy({ orgId })) >= MAX_TOKENS) throw new TooManyScimTokensError();
      await tokens.insert(row);
      await this.events.publish(transaction, {
        kind: 'scim_token.created',
        org_id: orgId,
        scim_token_id: row.id,
        user_id: caller.userId,
      });
    });
    return { ...toResponse(row), token, base_url: `${publicUrl(this.settings)}/${SCIM_PATH}` };
  }

  /** Ends a token; with the last one, what the directory said keeps nobody out any more. @throws ScimTokenNotFoundError */
  async revoke({ userId }: Pick<Caller, 'userId'>, { orgId }: OrgContext, idText: string): Promise<void> {
    const id = parseUuid(idText);
    await this.changes.make(orgId, async (transaction) => {
      const tokens = transaction.withRepository(this.tokens);
      const { affected } = id === null ? {} : await tokens.delete({ orgId, id });
      if (id === null || affected !== 1) throw new ScimTokenNotFoundError();
      await this.events.publish(transaction, {
        kind: 'scim_token.revoked',
        org_id: orgId,
        scim_token_id: id,
        user_id: userId,
      });
    });
  }
}

function toResponse({ id, name, prefix, createdAt, lastUsedAt, expiresAt }: ScimToken) {
  return {
    id,
    name,
    prefix,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
  };
}
