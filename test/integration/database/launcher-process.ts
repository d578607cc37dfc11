/**
 * The launcher in a process of its own, so that the process can be killed:
 * `launcher-process.ts start|connect DATA_DIR [UID]`. Prints one line of JSON when it is ready or has failed, and
 * stops on SIGTERM; with `exit` on its input it leaves without stopping anything.
 */
import { connectEmbeddedPostgres, startEmbeddedPostgres } from '../../../src/appliance/embedded-postgres';

async function main(): Promise<void> {
  const [, , mode, dataDir = '', uid] = process.argv;
  if (uid !== undefined) {
    process.setgroups?.([]);
    process.setgid?.(Number(uid));
    process.setuid?.(Number(uid));
  }
  const log = { info: () => undefined, warn: () => undefined };
  const open = mode === 'connect' ? connectEmbeddedPostgres : startEmbeddedPostgres;
  const server = await open({ dataDir, log });
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  process.stdin.on('data', () => process.exit(3));
  void server.lost.then((error) => console.log(JSON.stringify({ error: error.message })));
  console.log(JSON.stringify({ url: server.url }));
}

main().catch((error: unknown) => {
  console.log(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
  process.exit(1);
});
