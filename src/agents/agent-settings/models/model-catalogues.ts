import { Injectable } from '@nestjs/common';
import {
  type AgentServer,
  AgentServerClient,
  AgentServerError,
  type ServerModels,
} from '../../../sandboxes/agent-server';
import { Clock, type Person, TtlCache } from '../../../kernel/common';
import { AgentServersInReach } from '../../../sandboxes/sandboxes';
import { MAX_MODEL } from '../model-settings/model-limits';
import { providerOf } from '../start/llm';

/** Pages ask again and again. What an agent server could not answer, it may answer a little later. */
const KEPT_MS = 60_000;
/** Each has some thousand names. */
const MOST_KEPT = 32;
const MOST_MODELS = 10_000;
/** A page waits for it: a server that hangs costs no more than this. */
const CALLS_MS = 2_000;

/** The models of an agent server: by name, whether it recommends them. */
interface OfferedModels {
  /** Keyed by `provider/name`. */
  readonly models: ReadonlyMap<string, boolean>;
  readonly providers: ReadonlyMap<string, boolean>;
}

const NOTHING: OfferedModels = { models: new Map(), providers: new Map() };

/** The models of agent servers, which know those of many providers (docs/contract.md#profiles). */
@Injectable()
export class ModelCatalogues {
  private readonly kept: TtlCache<OfferedModels>;

  constructor(
    private readonly servers: AgentServersInReach,
    private readonly client: AgentServerClient,
    clock: Clock,
  ) {
    this.kept = new TtlCache(clock, KEPT_MS, MOST_KEPT);
  }

  /** The models that an agent server of this person offers; none if no server runs or answers. */
  async offeredTo(person: Person): Promise<OfferedModels> {
    const server = await this.servers.of(person);
    if (server === null) return NOTHING;
    // A server answers for its own users only.
    const key = JSON.stringify([person.orgId, person.userId, person.byLink, server.baseUrl]);
    return this.kept.get(key, () => this.ask(server));
  }

  private async ask(server: AgentServer): Promise<OfferedModels> {
    try {
      return readOffer(await this.client.models.list(server, { timeoutMs: CALLS_MS }));
    } catch (error) {
      if (error instanceof AgentServerError) return NOTHING;
      throw error;
    }
  }
}

function readOffer({ providers, models, verified }: ServerModels): OfferedModels {
  const known = new Map(providers.map((provider) => [provider, false]));
  for (const provider of Object.keys(verified)) known.set(provider, true);
  const offered = new Map<string, boolean>();
  for (const [provider, names] of Object.entries(verified)) {
    for (const name of names) offered.set(`${provider}/${name}`, true);
  }
  for (const model of models) {
    if (!offered.has(model) && known.has(providerOf(model) ?? '')) offered.set(model, false);
  }
  return { models: short(offered), providers: short(known) };
}

/** The first models, as many as are worth listing. */
function short(names: ReadonlyMap<string, boolean>): ReadonlyMap<string, boolean> {
  return new Map([...names].filter(([name]) => name.length <= MAX_MODEL).slice(0, MOST_MODELS));
}
