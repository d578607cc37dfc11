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
export { type GivenRegistration, Marketplaces } from './preview/marketplaces';
export { MarketplaceSkillsService, TooManyPreviewsError } from './preview/marketplace-skills.service';
export { RegistrationProblem } from './registration/registration-problem';
export { problemOfGit } from './fetch/git/installed-git';
export { credentialFor } from './fetch/git/git-environment';
export { Destinations } from './git-proxy/tunnel';
export { FETCHED_REFS, GitUpstream } from './fetch/git-upstream';
export { KeptCredentials } from './fetch/fetch.service';
export type { WantedRepository } from './fetch/fetch.service';
export { RepositoryFiles, type RepositoryFile } from './fetch/repository-files';
export { SkillsModule } from './skills.module';
