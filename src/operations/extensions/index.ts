export { defineExtension, type Extension, type ExtensionModule, settingsOf } from './extension';
export type { ExtensionMigrations, Extensions } from './extensions';
export { gatherExtensions, NO_EXTENSIONS, versionsOf } from './gather-extensions';
