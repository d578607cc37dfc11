import { Inject, Injectable } from '@nestjs/common';
import { callbackUrl, SETTINGS, type Settings } from '../../kernel/config';
import { fullModelName } from '../model-policy';
import { ModelKeys } from './model-keys';

/** Where the address of Anthropic's API ends, which is without a version. */
const UNVERSIONED_PATH = '/llm';
/** What every path of the gateway begins with. */
export const GATEWAY_PATH = `${UNVERSIONED_PATH}/v1`;

/** How an agent reaches a model through the gateway. */
export interface ModelPlace {
  /** The name by which it asks for it. */
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** How agents ask for a model of any other provider: of a proxy, which is called as OpenAI is, with all of the name behind this. */
const PROXY = 'litellm_proxy/';

/** Leads agents to the gateway for models, where there is one (docs/model-gateway.md). */
@Injectable()
export class GatewayAccess {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly keys: ModelKeys,
  ) {}

  /** Whether agents reach models through the gateway. */
  get isOn(): boolean {
    return this.settings.MODEL_GATEWAY === 'on';
  }

  /**
   * Where the agent of a conversation finds a model.
   * @param name the model's, with its provider or without
   * @returns null where the gateway is off: agents call providers themselves then
   */
  placeOf(name: string, conversationId: string): ModelPlace | null {
    if (!this.isOn) return null;
    const model = fullModelName(name);
    const isOfAnthropic = model.startsWith('anthropic/');
    const baseUrl = callbackUrl(this.settings) + (isOfAnthropic ? UNVERSIONED_PATH : GATEWAY_PATH);
    const isNamedSo = isOfAnthropic || model.startsWith('openai/');
    return { model: isNamedSo ? model : PROXY + model, baseUrl, apiKey: this.keys.issue(conversationId) };
  }
}

/**
 * The name of a model as people know it, from what an agent server reports.
 * @param llm its name and its address there
 */
export function reportedModel({
  model,
  base_url,
}: {
  readonly model: string;
  readonly base_url?: unknown;
}): string {
  const isThrough = typeof base_url === 'string' && base_url.endsWith(GATEWAY_PATH);
  return isThrough && model.startsWith(PROXY) ? model.slice(PROXY.length) : model;
}
