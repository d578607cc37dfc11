import { Injectable } from '@nestjs/common';
import { type AgentServer, AgentServerClient, AgentServerRefusedError } from '../../agent-server';
import { agentSkill } from './agent-skill';

const SKILLS_CALL_MS = 150_000;

/** What the organization, the user and the repository bring to a conversation. */
export interface SkillSetupResult {
  readonly skills: readonly unknown[];
  readonly maxBudgetPerTask: number | null;
  /** What had to be left out, for the task's `detail`. */
  readonly notes: readonly string[];
}

/** Finds the skills of a starting conversation, by the agent server's own means (decisions 5). */
@Injectable()
export class SkillSetup {
  constructor(private readonly agentServers: AgentServerClient) {}

  /** @param folder where the conversation works: its project skills count */
  async setUp(target: AgentServer, folder: string): Promise<SkillSetupResult> {
    try {
      const { skills } = await this.agentServers.loadSkills(
        target,
        { load_public: false, load_user: false, load_org: false, load_project: true, project_dir: folder },
        { timeoutMs: SKILLS_CALL_MS },
      );
      return { skills: skills.map(agentSkill), maxBudgetPerTask: null, notes: [] };
    } catch (error) {
      if (!(error instanceof AgentServerRefusedError)) throw error;
      return { skills: [], maxBudgetPerTask: null, notes: [`Skills could not be loaded: ${error.message}`] };
    }
  }
}
