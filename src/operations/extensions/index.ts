export {
  type CommandHandler,
  type CommandOption,
  type CommandOptions,
  type CommandsByName,
  type DescribedCommand,
  type ExtensionCommand,
  FIELD,
  SERVICE_COMMANDS,
} from './commands';
export { defineExtension, type Extension, type ExtensionModule, type Given, settingsOf } from './extension';
export type { ExtensionMigrations, Extensions } from './extensions';
export {
  gatherExtensions,
  NO_EXTENSIONS,
  separateExtension,
  type Separated,
  versionsOf,
} from './gather-extensions';
