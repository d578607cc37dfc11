/** `npm run demo [-- --driver docker]`: the life of a conversation, on a running service or one started for it. */
import { parseArgs } from 'node:util';
import { playCallback } from './callback';
import { CallbackReceiver } from './callback-receiver';
import { DemoClient } from './demo-client';
import { serviceForDemo } from './demo-service';
import { showCommand, say, step } from './screen';
import { playStory } from './story';

/** Known, so that a service that runs already can be told to allow it. */
const RECEIVER_PORT = 4545;

async function main(): Promise<void> {
  const receiver = await CallbackReceiver.start(RECEIVER_PORT).catch(() => CallbackReceiver.start(0));
  try {
    await play(receiver);
  } finally {
    receiver.stop();
  }
}

async function play(receiver: CallbackReceiver): Promise<void> {
  const { driver } = parseArgs({ options: { driver: { type: 'string' } } }).values;
  const service = await serviceForDemo(process.env, receiver.host, driver);
  try {
    step(service.isOwn ? 'A service of its own' : 'The service that runs');
    say(`API ${service.url}`);
    if (!service.isOwn) showCommand(`export KEY=${service.key}`);
    const client = new DemoClient(service.url, service.key);
    const conversationId = await playStory(client, showCommand);
    await playCallback(client, showCommand, { conversationId, receiver });
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
