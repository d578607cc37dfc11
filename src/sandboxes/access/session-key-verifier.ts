import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type SandboxCaller, SandboxCredentialVerifier } from '../../auth';
import { digestOf } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import { ExternalOrganization } from './external-organization';

/** Finds the sandbox behind the key that an agent server sends. */
@Injectable()
export class SessionKeyVerifier extends SandboxCredentialVerifier {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectDataSource() private readonly database: DataSource,
    private readonly external: ExternalOrganization,
  ) {
    super();
  }

  async verify(key: string): Promise<SandboxCaller | null> {
    if (this.isExternal(key)) {
      const served = await this.external.served();
      if (served === null) return null;
      return { sandboxId: null, orgId: served === '*' ? null : served, createdByUserId: null };
    }
    const [row] = await this.database.query<{ id: string; org_id: string; created_by_user_id: string }[]>(
      'SELECT id, org_id, created_by_user_id FROM sandboxes WHERE session_key_digest = $1',
      [digestOf(key)],
    );
    return row === undefined
      ? null
      : { sandboxId: row.id, orgId: row.org_id, createdByUserId: row.created_by_user_id };
  }

  private isExternal(key: string): boolean {
    const { SANDBOX_DRIVER, AGENT_SERVER_API_KEY } = this.settings;
    if (SANDBOX_DRIVER !== 'external' || AGENT_SERVER_API_KEY === undefined) return false;
    return timingSafeEqual(Buffer.from(digestOf(key)), Buffer.from(digestOf(AGENT_SERVER_API_KEY)));
  }
}
