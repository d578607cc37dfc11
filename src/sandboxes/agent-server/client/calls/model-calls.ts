import { type CallOptions, type JsonCalls, readResponse } from '../json-calls';
import { type AgentServer, modelListSchema, providerListSchema, verifiedModelsSchema } from '../protocol';

/** The models that an agent server can call. */
export interface ServerModels {
  readonly providers: readonly string[];
  /** Most as `provider/name`, but not all that has a slash begins with a provider. */
  readonly models: readonly string[];
  /** Names of models known to work well, without the provider, by provider. */
  readonly verified: Readonly<Record<string, readonly string[]>>;
}

/** Asks agent servers for models. Errors are those of AgentServerClient. */
export class ModelCalls {
  constructor(private readonly calls: JsonCalls) {}

  /** @throws AgentServerRefusedError by a server that has no such list */
  async list(target: AgentServer, options: CallOptions = {}): Promise<ServerModels> {
    const [providers, models, verified] = await Promise.all([
      this.get(target, '/api/llm/providers', options),
      this.get(target, '/api/llm/models', options),
      this.get(target, '/api/llm/models/verified', options),
    ]);
    return {
      providers: readResponse(providers, providerListSchema, target).providers,
      models: readResponse(models, modelListSchema, target).models,
      verified: readResponse(verified, verifiedModelsSchema, target).models,
    };
  }

  private get(target: AgentServer, path: string, options: CallOptions) {
    return this.calls.call(target, { method: 'GET', path, ...options });
  }
}
