import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Role } from '../../../kernel/auth';
import { Clock, type Person, TtlCache } from '../../../kernel/common';
import { fullModelName } from '../../model-policy';
import { ConversationAgents } from './conversation-agents';
import { type Llm, PROXY, providerOf } from './llm';
import { RUNNING_CONVERSATION, type RunningConversation } from './running-conversation.read-model';

/** An agent calls again and again; what is changed or revoked holds this much later. */
const KEPT_MS = 1_000;
const MOST_KEPT = 5_000;

/** Where a model can be called, and as whom. */
export interface ModelTarget {
  /** Null for the address of the provider. */
  readonly baseUrl: string | null;
  /** Whose models are called there without it before their names; null where nobody has said. */
  readonly provider: string | null;
  /** Null where the address asks for none. */
  readonly apiKey: string | null;
  /** Headers that are set beside the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether its key is the installation's, with which all organizations call. */
  readonly isShared: boolean;
  /** Whether whoever the agent works for set it themselves: what such a place says is their word. */
  readonly isOwn: boolean;
}

/** For whom an agent calls. */
export interface ModelCaller {
  readonly orgId: string;
  readonly userId: string;
  readonly role: Role;
  readonly sandboxId: string;
}

/** Which models are set for a conversation. */
export interface ListedModels {
  readonly caller: ModelCaller;
  /** Full names of those that are set. */
  readonly names: readonly string[];
}

/** The models that are set for a person. */
interface ModelsOfPerson {
  /** Full names. */
  readonly names: readonly string[];
  /** Where one can be called. */
  targetsOf(model: string): readonly ModelTarget[];
}

/** The models of a conversation, as an agent may call them. */
interface ModelsOfConversation extends ModelsOfPerson {
  readonly caller: ModelCaller;
}

/** A model that an agent asked for by some name. */
export interface FoundModel {
  readonly caller: ModelCaller;
  /** Its full name. */
  readonly model: string;
  /** Where it can be called, in the order in which it is tried; none if nobody has set how. */
  readonly targets: readonly ModelTarget[];
}

/**
 * Which models the agent of a conversation reaches, and how: by what its creator, their organization and the installation have
 * set (docs/model-gateway.md#which-key-is-used).
 */
@Injectable()
export class ConversationModels {
  /** By conversations. */
  private readonly running: TtlCache<RunningConversation | null>;
  /** By persons: what is set is the same for all conversations of one. */
  private readonly set: TtlCache<ModelsOfPerson>;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly agents: ConversationAgents,
    clock: Clock,
  ) {
    this.running = new TtlCache(clock, KEPT_MS, MOST_KEPT);
    this.set = new TtlCache(clock, KEPT_MS, MOST_KEPT);
  }

  /**
   * Finds a model by the name that an agent calls it by: with its provider or, as clients of a provider have it, without.
   * @returns null where the conversation is not there, or its sandbox does not run
   */
  async find(conversationId: string, called: string): Promise<FoundModel | null> {
    const models = await this.of(conversationId);
    if (models === null) return null;
    const model = fullNameOf(called, models.names);
    return { caller: models.caller, model, targets: models.targetsOf(model) };
  }

  /** The models that are set for a conversation. @returns null as {@link find} */
  async listed(conversationId: string): Promise<ListedModels | null> {
    return this.of(conversationId);
  }

  private async of(conversationId: string): Promise<ModelsOfConversation | null> {
    const row = await this.running.get(conversationId, async () => {
      const [found] = await RUNNING_CONVERSATION.rows(this.database, [conversationId]);
      return found ?? null;
    });
    if (row === null) return null;
    const { org_id: orgId, user_id: userId, by_link: byLink, role, sandbox_id: sandboxId } = row;
    const person = { orgId, userId, byLink };
    const set = await this.set.get(`${orgId} ${userId} ${byLink}`, () => this.setFor(person));
    return { ...set, caller: { orgId, userId, role, sandboxId } };
  }

  private async setFor(person: Person): Promise<ModelsOfPerson> {
    const reach = await this.agents.reach(person);
    const found = new Map<string, readonly ModelTarget[]>();
    const targetsOf = (model: string): readonly ModelTarget[] => {
      const before = found.get(model);
      if (before !== undefined) return before;
      const targets = targetsAmong(reach.places(model), model);
      found.set(model, targets);
      return targets;
    };
    return { names: [...new Set(reach.names.map(fullModelName))], targetsOf };
  }
}

/** The model with a name; of several that end with it, the nearest. */
function fullNameOf(called: string, names: readonly string[]): string {
  if (names.includes(called)) return called;
  if (providerOf(called) === PROXY) return fullNameOf(called.slice(PROXY.length + 1), names);
  const known = names.find((name) => name.slice((providerOf(name)?.length ?? -1) + 1) === called);
  return known ?? fullModelName(called);
}

/**
 * The first place, and those that may stand in for it: a member's own key only for their own, and that of an organization or the
 * installation never beside it, so that nobody pays for another.
 */
function targetsAmong(
  places: readonly { readonly llm: Llm; readonly isOwn: boolean; readonly isShared: boolean }[],
  model: string,
): readonly ModelTarget[] {
  const usable = places.filter(({ llm }) => isFor(llm, model));
  const [first] = usable;
  if (first === undefined) return [];
  const targets = new Map<string, ModelTarget>();
  for (const { llm, isOwn, isShared } of usable) {
    if (isOwn !== first.isOwn) continue;
    const { model: named, baseUrl, apiKey, options } = llm;
    const name = JSON.stringify([baseUrl, apiKey]);
    const headers = options.extra_headers ?? {};
    const provider = named === null ? null : providerOf(fullModelName(named));
    if (!targets.has(name)) targets.set(name, { baseUrl, provider, apiKey, headers, isShared, isOwn });
  }
  return [...targets.values()];
}

/**
 * A place is for models of the provider of its own model, by whose prefix they are allowed and priced; that of a proxy for all. One
 * without an address that names no model either is for none: its key would go to any provider that is asked for.
 */
function isFor({ model, baseUrl, apiKey, options }: Llm, wanted: string): boolean {
  if (baseUrl === null && apiKey === null && options.extra_headers === undefined) return false;
  if (model === null) return baseUrl !== null;
  const provider = providerOf(fullModelName(model));
  return (baseUrl !== null && provider === PROXY) || provider === providerOf(wanted);
}
