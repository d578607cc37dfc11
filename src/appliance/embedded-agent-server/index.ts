export { embeddedAgentServerCommand } from './embedded-command';
