import { finishPausedParsers, messageOf, outlivePeers } from '../../kernel/common';
import { readEmbeddedConfig } from './config/embedded-config';
import { DeferredServer } from './deferred-server';
import { EmbeddedServer } from './embedded-server';

/** One embedded agent server as a process of its own; its folder is the sandbox. */
async function main(): Promise<void> {
  // The process that started this one may be gone; then nothing reads its output.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  finishPausedParsers();
  const report = ({ stack }: Error): void => void process.stderr.write(`${stack}\n`);
  outlivePeers({ survived: report, ending: report });
  const config = readEmbeddedConfig(process.argv.slice(2), process.env);
  const server = new (config.isDeferred ? DeferredServer : EmbeddedServer)(config, process.cwd());
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void server.close().then(() => process.exit(0)));
  }
  process.stdout.write(`Embedded agent server listens on ${await server.listen()}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
});
