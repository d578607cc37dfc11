export { AppSettingsModule } from './app-settings.module';
export { ComposedMarketplaces, type ConversationDefaults } from './settings/composed-marketplaces';
export type { ScopedRegistration } from './settings/registrations';
