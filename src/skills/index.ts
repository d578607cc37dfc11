export {
  agentServerSource,
  forAgentServer,
  type AgentServerRegistrations,
  type ComposedRegistration,
} from './agent-server-registrations';
export { checkMarketplaceSettings } from './marketplace-settings';
export {
  MarketplaceRegistration,
  REGISTRATION_SCOPES,
  type RegistrationScope,
} from './marketplace-registration.dto';
export { SkillsModule } from './skills.module';
