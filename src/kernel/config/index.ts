export {
  callbackHost,
  callbackPortOfLoopback,
  callbackUrl,
  ownUrl,
  publicPath,
  publicUrl,
  reachable,
  sandboxUrl,
  sandboxUrlPattern,
} from './addresses';
export { ConfigModule } from './config.module';
export {
  organizationShare,
  readSettings,
  SANDBOX_DRIVERS,
  SETTINGS,
  SettingsError,
  settingsSchema,
  type Settings,
} from './settings';
