#!/usr/bin/env node
import { findNodeScript } from './kernel/common/process/node-script';
import { keepRunning } from './keep-running';

/** `npx org-conversation-service` keeps the service running, as `npm start` does; with `cli COMMAND`, a command of operators. */
async function main(): Promise<void> {
  if (process.argv[2] !== 'cli') {
    keepRunning(findNodeScript(__dirname, 'main'));
    return;
  }
  process.argv.splice(2, 1);
  await import('./cli.ts');
}

void main();
