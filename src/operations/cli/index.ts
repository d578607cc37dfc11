export { runCommand } from './command-line';
