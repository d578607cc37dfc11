import { Injectable } from '@nestjs/common';
import { ConversationAgents, shownAddress } from '../../agent-settings';
import { type Caller, type OrgContext, permissionsOf } from '../../auth';
import type { CurrentUser } from './current-user.dto';

/** Describes the caller of a request. */
@Injectable()
export class CurrentUserService {
  constructor(private readonly agents: ConversationAgents) {}

  /** The caller, what they may do in the organization, and what its conversations run on. */
  async describe(caller: Caller, org: OrgContext): Promise<CurrentUser> {
    const person = { userId: caller.userId, orgId: org.orgId };
    const { llm } = await this.agents.forConversation(person, { model: null });
    return {
      id: caller.userId,
      org_id: org.orgId,
      email: caller.email,
      name: caller.name,
      role: org.role,
      permissions: permissionsOf(org.role),
      llm_model: llm.model,
      llm_base_url: llm.baseUrl === null ? null : shownAddress(llm.baseUrl),
      llm_api_key: null,
      llm_profiles: { profiles: {}, active: null },
      mcp_config: { sse_servers: [], shttp_servers: [], stdio_servers: [] },
    };
  }
}
