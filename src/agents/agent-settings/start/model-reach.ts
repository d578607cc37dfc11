import { Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/common';
import { GatewayAccess } from '../../gateway-access';
import { ModelPolicies } from '../../model-policy';
import type { NamedLlm } from './llm';
import { withoutAccess } from '../model-settings/llm-options';

/** Which models agents of conversations may use (docs/model-policy.md), and how they reach them (docs/model-gateway.md). */
@Injectable()
export class ModelReach {
  constructor(
    private readonly gateway: GatewayAccess,
    private readonly policies: ModelPolicies,
  ) {}

  /** @throws ModelNotAllowedError where the organization, or the role of the person, may not use a model */
  async check(person: Pick<Person, 'userId' | 'orgId'>, model: string): Promise<void> {
    await this.policies.checkFor(person, model);
  }

  /**
   * A model as the agent of a conversation gets it: with the address and the key of its provider, or, where the gateway is on, with
   * those of the gateway and with nothing that says who calls.
   * @param builtInModel the one that its agent server has without calling anybody; null for none
   */
  ofAgent(llm: NamedLlm, conversationId: string, builtInModel: string | null): NamedLlm {
    if (!this.gateway.isOn) return llm;
    const plain = { ...llm, baseUrl: null, apiKey: null, options: withoutAccess(llm.options) };
    return llm.model === builtInModel
      ? plain
      : { ...plain, ...this.gateway.placeOf(llm.model, conversationId) };
  }
}
