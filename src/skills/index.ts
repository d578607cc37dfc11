export {
  agentServerSource,
  forAgentServer,
  type AgentServerRegistrations,
  type ComposedRegistration,
} from './registration/agent-server-registrations';
export { checkMarketplaceSettings } from './registration/marketplace-settings';
export {
  MarketplaceRegistration,
  REGISTRATION_SCOPES,
  type RegistrationScope,
} from './registration/marketplace-registration.dto';
export { MarketplaceSkillsService } from './preview/marketplace-skills.service';
export { TooManyPreviewsError } from './preview/skills.errors';
export { RegistrationProblem } from './registration/registration-problem';
export { RepositoryFiles, type RepositoryFile, type WantedRepository } from './fetch/repository-files';
export { SkillsModule } from './skills.module';
