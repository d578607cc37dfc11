#!/usr/bin/env node
/** `npx org-conversation-service` runs the service; with `cli COMMAND`, a command of operators. */
async function main(): Promise<void> {
  if (process.argv[2] !== 'cli') {
    await import('./main.ts');
    return;
  }
  process.argv.splice(2, 1);
  await import('./cli.ts');
}

void main();
