export { ConfigModule } from './config.module';
export {
  callbackUrl,
  publicUrl,
  readSettings,
  SANDBOX_DRIVERS,
  SETTINGS,
  SettingsError,
  settingsSchema,
  type Settings,
} from './settings';
