import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { OwnedPart, PersonalData } from '../../../accounts/personal-data';
import { AgentProfileRow } from '../agent-profiles/agent-profile.entity';
import { LlmProfileRow } from '../llm-profiles/llm-profile.entity';
import { AgentSettingsRow } from '../record/agent-settings.entity';

/** A person's settings and profiles, as far as they are exported and erased: never what is sealed in them. */
@Injectable()
export class PersonalSettings {
  constructor(
    @InjectRepository(AgentSettingsRow) settings: Repository<AgentSettingsRow>,
    @InjectRepository(LlmProfileRow) models: Repository<LlmProfileRow>,
    @InjectRepository(AgentProfileRow) profiles: Repository<AgentProfileRow>,
    personal: PersonalData,
  ) {
    personal.register(new OwnedPart('agent_settings', settings, shownSettings));
    personal.register(
      new OwnedPart('llm_profiles', models, ({ name, model, baseUrl, isActive, orgId }) => ({
        org_id: orgId,
        name,
        model,
        base_url: baseUrl,
        is_active: isActive,
      })),
    );
    personal.register(
      new OwnedPart('agent_profiles', profiles, ({ name, llmProfileRef, revision, isActive, orgId }) => ({
        org_id: orgId,
        name,
        llm_profile_ref: llmProfileRef,
        revision,
        is_active: isActive,
      })),
    );
  }
}

/** Without what is encrypted: the key of a model, its options, servers with tools. */
function shownSettings(row: AgentSettingsRow): object {
  return {
    org_id: row.orgId,
    llm_model: row.llmModel,
    llm_base_url: row.llmBaseUrl,
    condenser_enabled: row.condenserEnabled,
    condenser_max_size: row.condenserMaxSize,
    confirmation_mode: row.confirmationMode,
    security_analyzer: row.securityAnalyzer,
    max_iterations: row.maxIterations,
    language: row.language,
    disabled_skills: row.disabledSkills,
    enable_sound_notifications: row.enableSoundNotifications,
    git_user_name: row.gitUserName,
    git_user_email: row.gitUserEmail,
    user_consents_to_analytics: row.userConsentsToAnalytics,
  };
}
