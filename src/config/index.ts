export { ConfigModule } from './config.module';
export {
  callbackUrl,
  publicUrl,
  readSettings,
  SETTINGS,
  SettingsError,
  settingsSchema,
  type Settings,
} from './settings';
