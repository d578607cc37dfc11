import { Injectable } from '@nestjs/common';
import { withoutSecrets } from '../model-settings/llm-options';
import { type Llm, shownAddress } from '../start/llm';
import { appError } from '../../../kernel/common';
import { GatewayAccess } from '../../gateway-access';
import { PersonalModels } from '../start/personal-models';
import { type Caller, kindOf, type OrgContext, PermissionTable, personOf } from '../../../kernel/auth';
import { SandboxProof } from '../../../sandboxes/sandboxes';
import type { CurrentUser, ModelProfile } from './current-user.dto';

/** 403: keys are given to running sandboxes of the caller's own only (docs/contract.md#secrets-for-sandboxes). */
export const SandboxKeyRequiredError = appError(
  403,
  'sandbox_key_required',
  'Keys are given only with the key of a running sandbox of yours in this organization, in X-Session-API-Key.',
);

/** Describes the caller of a request. */
@Injectable()
export class CurrentUserService {
  constructor(
    private readonly models: PersonalModels,
    private readonly gateway: GatewayAccess,
    private readonly sandboxes: SandboxProof,
    private readonly permissions: PermissionTable,
  ) {}

  /**
   * The caller, their permissions in the organization, and the models of its conversations.
   * @param exposure asks for the keys of models that they keep, with the key of a sandbox; null for none. With the gateway on there are none.
   * @throws SandboxKeyRequiredError
   */
  async describe(
    caller: Caller,
    org: OrgContext,
    exposure: { readonly sandboxKey: string | null } | null,
  ): Promise<CurrentUser> {
    const person = personOf(caller, org);
    if (exposure !== null && !(await this.sandboxes.isOwn(person, exposure.sandboxKey ?? '')))
      throw new SandboxKeyRequiredError();
    // Where agents reach models through the gateway, no sandbox gets a key.
    const withKeys = exposure !== null && !this.gateway.isOn;
    const { llm, profiles, activeProfile, toolServers } = await this.models.of(person);
    const shown = shownModel(llm, withKeys);
    return {
      id: caller.userId,
      org_id: org.orgId,
      kind: kindOf(caller),
      email: caller.email,
      name: caller.name,
      role: org.role,
      permissions: this.permissions.known(org.permissions),
      llm_model: shown.model,
      llm_base_url: shown.base_url,
      llm_api_key: shown.api_key,
      llm_profiles: {
        profiles: Object.fromEntries(profiles.map((each) => [each.name, shownModel(each, withKeys)])),
        active: activeProfile,
      },
      mcp_config: toolServers,
    };
  }
}

function shownModel({ model, baseUrl, apiKey, options }: Llm, withKey: boolean): ModelProfile {
  return {
    ...(withKey ? options : withoutSecrets(options)),
    model,
    base_url: baseUrl === null ? null : shownAddress(baseUrl),
    api_key: withKey ? apiKey : null,
  };
}
