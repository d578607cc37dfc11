import { Inject, Injectable } from '@nestjs/common';
import type { Person } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import { AgentSettingsRepository, type AgentSettings } from '../record/agent-settings.repository';
import { composeLlm, type Llm, NO_LLM } from './llm';

/** What the agent of a conversation is made of. */
export interface ConversationAgent {
  readonly llm: Llm;
  readonly settings: AgentSettings;
}

/** What a request to start a conversation asks for. */
export interface AskedAgent {
  readonly model: string | null;
}

/** Puts together what agents of conversations run on (docs/contract.md#agent-settings). */
@Injectable()
export class ConversationAgents {
  constructor(
    @Inject(SETTINGS) private readonly installation: Settings,
    private readonly settings: AgentSettingsRepository,
  ) {}

  /** What a conversation of this user in this organization starts with. */
  async forConversation(person: Person, asked: AskedAgent): Promise<ConversationAgent> {
    const settings = await this.settings.ofPerson(person);
    return {
      settings,
      llm: composeLlm([{ ...NO_LLM, model: asked.model }, ownLlm(settings), this.ofInstallation()]),
    };
  }

  private ofInstallation(): Llm {
    const { LLM_MODEL, LLM_BASE_URL, LLM_API_KEY } = this.installation;
    return { model: LLM_MODEL ?? null, baseUrl: LLM_BASE_URL ?? null, apiKey: LLM_API_KEY ?? null };
  }
}

function ownLlm({ llmModel, llmBaseUrl, llmApiKey }: AgentSettings): Llm {
  return { model: llmModel, baseUrl: llmBaseUrl, apiKey: llmApiKey };
}
