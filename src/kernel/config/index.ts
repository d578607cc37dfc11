export {
  addressesForSandboxes,
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
export { MAX_MODEL_PATTERN } from './model-gateway-settings';
export { MOST_RETENTION_DAYS } from './retention-settings';
export {
  organizationShare,
  readSettings,
  SANDBOX_DRIVERS,
  SETTINGS,
  SettingsError,
  settingsSchema,
  type Settings,
} from './settings';
