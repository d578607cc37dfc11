export { AppSettingsModule } from './app-settings.module';
export { ComposedMarketplaces } from './settings/stored-settings';
