import { Inject, Injectable } from '@nestjs/common';
import { callbackUrl, SETTINGS, type Settings } from '../../kernel/config';
import { ModelKeys } from './model-keys';

/** The path of the gateway, below which the protocols have theirs. */
export const GATEWAY_PATH = '/llm';

/** How an agent reaches a model through the gateway. */
export interface ModelPlace {
  /** The name by which it asks for it. */
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** How what agents call models with asks for one of a provider whose protocol it does not speak: by a proxy for many. */
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
   * @param model its full name
   * @returns null where the gateway is off: agents call providers themselves then
   */
  placeOf(model: string, conversationId: string): ModelPlace | null {
    if (!this.isOn) return null;
    const base = `${callbackUrl(this.settings)}${GATEWAY_PATH}`;
    const apiKey = this.keys.issue(conversationId);
    // The address of Anthropic's API is without a version.
    if (model.startsWith('anthropic/')) return { model, baseUrl: base, apiKey };
    const isOpenAi = model.startsWith('openai/') || model.startsWith(PROXY);
    return { model: isOpenAi ? model : PROXY + model, baseUrl: `${base}/v1`, apiKey };
  }

  /** The name of a model in a call of an agent, without what {@link placeOf} put before it. */
  nameIn(call: string): string {
    return call.startsWith(PROXY) ? call.slice(PROXY.length) : call;
  }
}
