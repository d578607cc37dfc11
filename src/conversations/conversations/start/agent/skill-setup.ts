import { Injectable } from '@nestjs/common';
import {
  type AgentServer,
  AgentServerClient,
  AgentServerFailedError,
  AgentServerRefusedError,
} from '../../../../sandboxes/agent-server';
import type { Person } from '../../../../kernel/common';
import { ComposedMarketplaces } from '../../../../agents/app-settings';
import { forAgentServer } from '../../../../agents/skills';
import { z } from 'zod';

const loaded = z.looseObject({
  name: z.string(),
  content: z.string().default(''),
  triggers: z.array(z.string()).default([]),
  source: z.string().nullish(),
  description: z.string().nullish(),
  is_agentskills_format: z.boolean().default(false),
});

/** A skill in the form that start calls take. */
type AgentSkill = Readonly<Record<string, unknown>> & { readonly name: string };

/**
 * A skill as the agent server lists it, in the form its start call takes: triggers become keywords.
 * @returns null for one that is not understood
 */
export function agentSkill(listed: unknown): AgentSkill | null {
  const skill = loaded.safeParse(listed);
  if (!skill.success) return null;
  const { name, content, triggers, source, description, is_agentskills_format } = skill.data;
  return {
    name,
    content,
    source: source ?? null,
    description: description ?? null,
    is_agentskills_format,
    trigger: triggers.length > 0 ? { type: 'keyword', keywords: triggers } : null,
  };
}

const SKILLS_CALL_MS = 150_000;

/** Statuses of a gateway in between, or of a server that starts: worth a retry. */
const PASSING = new Set([502, 503, 504]);

/** The skills of organization, user and repository for a conversation. */
interface SkillSetupResult {
  /** As the agent takes them: project skills, ready to be used. */
  readonly skills: readonly AgentSkill[];
  /** Composed registrations, for the agent server to load plugins from. */
  readonly registrations: readonly unknown[];
  readonly maxBudgetPerTask: number | null;
  /** Notes about omitted skills, for the task's `detail`. */
  readonly notes: readonly string[];
}

/**
 * Finds what a starting conversation works with in addition to its repository
 * (docs/contract.md#composition-of-marketplaces).
 */
@Injectable()
export class SkillSetup {
  constructor(
    private readonly agentServers: AgentServerClient,
    private readonly marketplaces: ComposedMarketplaces,
  ) {}

  /** @param folder where the conversation works: its project skills count */
  async setUp(
    target: AgentServer,
    folder: string,
    creator: Person,
    signal: AbortSignal,
  ): Promise<SkillSetupResult> {
    const defaults = await this.marketplaces.forConversation(creator);
    const { registrations, notes } = forAgentServer(defaults.marketplaces);
    const project = await this.projectSkills(target, folder, signal);
    return {
      skills: project.skills,
      registrations,
      maxBudgetPerTask: defaults.maxBudgetPerTask,
      notes: [...notes, ...project.notes],
    };
  }

  private async projectSkills(
    target: AgentServer,
    folder: string,
    signal: AbortSignal,
  ): Promise<Pick<SkillSetupResult, 'skills' | 'notes'>> {
    try {
      const { skills } = await this.agentServers.workspace.loadSkills(
        target,
        { load_public: false, load_user: false, load_org: false, load_project: true, project_dir: folder },
        { timeoutMs: SKILLS_CALL_MS, signal },
      );
      const understood = skills.map((listed) => ({ name: listed.name, skill: agentSkill(listed) }));
      return {
        skills: understood.flatMap(({ skill }) => skill ?? []),
        notes: understood.flatMap(({ name, skill }) =>
          skill === null ? `Skill ${name} was left out: it could not be read.` : [],
        ),
      };
    } catch (error) {
      const stays =
        error instanceof AgentServerRefusedError ||
        (error instanceof AgentServerFailedError && !PASSING.has(error.responseStatus));
      if (!stays) throw error;
      return { skills: [], notes: [`Skills could not be loaded: ${error.reason}`] };
    }
  }
}
