import { Inject, Injectable } from '@nestjs/common';
import { type Caller, type OrgContext, permissionsOf } from '../../auth';
import { SETTINGS, type Settings } from '../../config';
import type { CurrentUser } from './current-user.dto';

/** Describes the caller of a request. */
@Injectable()
export class CurrentUserService {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** The caller, what they may do in the organization, and what its conversations run on. */
  describe(caller: Caller, org: OrgContext): CurrentUser {
    const { LLM_MODEL, LLM_BASE_URL } = this.settings;
    return {
      id: caller.userId,
      org_id: org.orgId,
      email: caller.email,
      name: caller.name,
      role: org.role,
      permissions: permissionsOf(org.role),
      llm_model: LLM_MODEL ?? null,
      llm_base_url: LLM_BASE_URL === undefined ? null : withoutSecrets(LLM_BASE_URL),
      llm_api_key: null,
      llm_profiles: { profiles: {}, active: null },
      mcp_config: { sse_servers: [], shttp_servers: [], stdio_servers: [] },
    };
  }
}

/** An address can carry a user, a password or a key in its query. */
function withoutSecrets(address: string): string {
  const { origin, pathname } = new URL(address);
  return (origin + pathname).replace(/\/+$/, '');
}
