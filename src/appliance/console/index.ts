export { ConsoleModule } from './console.module';
export { CONSOLE_PATH } from './built-console';
