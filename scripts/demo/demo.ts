/** `npm run demo`: the life of a conversation, on a running service or one started for it. */
import { DemoClient } from './demo-client';
import { serviceForDemo } from './demo-service';
import { showCommand, say, step } from './screen';
import { playStory } from './story';

async function main(): Promise<void> {
  const service = await serviceForDemo(process.env);
  try {
    step(service.isOwn ? 'A service of its own' : 'The service that runs');
    say(`API ${service.url}`);
    if (!service.isOwn) showCommand(`export KEY=${service.key}`);
    await playStory(new DemoClient(service.url, service.key), showCommand);
    step('What to try next');
    for (const line of nextSteps(service.url, service.isOwn)) say(line);
  } finally {
    await service.stop();
  }
}

function nextSteps(url: string, isOwn: boolean): string[] {
  return [
    isOwn
      ? 'npm start                       your own service, which stays'
      : `${url}/docs   every operation, to try`,
    'README.md                       connect a model, run the real agent server',
    'docs/operations.md              a database of your own, replicas, mail',
    'docs/extending.md               modules of your own in TypeScript',
  ];
}

main().catch((error: unknown) => {
  process.stderr.write(`\nThe demo stopped: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
