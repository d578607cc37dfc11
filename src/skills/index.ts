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
export { SkillsModule } from './skills.module';
