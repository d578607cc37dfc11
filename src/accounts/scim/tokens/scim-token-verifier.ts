import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type DirectoryCaller, DirectoryCredentialVerifier } from '../../../kernel/auth';
import { Clock, digestOf } from '../../../kernel/common';
import { isWellFormedDirectoryToken } from '../../api-keys';
import { ScimToken } from '../record/scim-token.entity';

const WRITE_EVERY_MS = 60_000;

/** Finds the organization of a token by its digest. Nothing is kept in memory: a token that is revoked ends at once. */
@Injectable()
export class ScimTokenVerifier extends DirectoryCredentialVerifier {
  private readonly logger = new Logger(ScimTokenVerifier.name);

  constructor(
    @InjectRepository(ScimToken) private readonly tokens: Repository<ScimToken>,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async verify(token: string): Promise<DirectoryCaller | null> {
    if (!isWellFormedDirectoryToken(token)) return null;
    const found = await this.tokens.findOneBy({ digest: digestOf(token) });
    const now = this.clock.now();
    if (found === null || (found.expiresAt !== null && found.expiresAt <= now)) return null;
    await this.noteUse(found, now);
    return { tokenId: found.id, tokenPrefix: found.prefix, orgId: found.orgId };
  }

  /** Once a minute; a failure loses one time, so it is only logged. */
  private async noteUse({ id, lastUsedAt }: ScimToken, now: Date): Promise<void> {
    if (lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() < WRITE_EVERY_MS) return;
    try {
      await this.tokens.update({ id }, { lastUsedAt: now });
    } catch (error) {
      this.logger.warn({ err: error }, 'The last use of a token could not be written');
    }
  }
}
