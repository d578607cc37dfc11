export { ConsoleModule } from './console.module';
export type { ConsolePagesByName, ExtensionPage } from './extension-pages';
export { CONSOLE_PATH } from './built-console';
