import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PORT = 8_170;
/** Of a network that is neither private nor anybody's whom tests could reach; a killed run may have left one of them. */
const BLOCK = 4 * randomInt(64);
const [GATEWAY, ADDRESS] = [`192.31.196.${BLOCK + 1}`, `192.31.196.${BLOCK + 2}`];

/** A host with a public address beyond this machine, which is its way to anywhere: a namespace of its own. */
export class PublicHost {
  readonly url = `http://${ADDRESS}:${PORT}`;

  private constructor(
    private readonly name: string,
    private readonly server: ChildProcess,
  ) {}

  /** @param name of its interface and its namespace */
  static async start(name: string): Promise<PublicHost> {
    const peer = `${name}p`;
    const inside = ['netns', 'exec', name, 'ip'];
    await ip('netns', 'add', name);
    await ip('link', 'add', name, 'type', 'veth', 'peer', 'name', peer, 'netns', name);
    await ip('address', 'add', `${GATEWAY}/30`, 'dev', name);
    await ip('link', 'set', name, 'up');
    await ip(...inside, 'address', 'add', `${ADDRESS}/30`, 'dev', peer);
    await ip(...inside, 'link', 'set', peer, 'up');
    await ip(...inside, 'route', 'add', 'default', 'via', GATEWAY);
    await openForwarding(name);
    const script = `require("net").createServer().listen(${PORT},()=>console.log("listens"))`;
    const server = spawn('ip', ['netns', 'exec', name, process.execPath, '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(server.stdout, 'data');
    return new PublicHost(name, server);
  }

  async stop(): Promise<void> {
    const ended = once(this.server, 'exit');
    this.server.kill();
    await ended;
    await ip('netns', 'delete', this.name);
    // It goes with its namespace, which may take a moment.
    await ip('link', 'delete', this.name).catch(() => undefined);
  }
}

/** Lets this machine pass on what comes in at an interface, as one with an engine of its own does. */
export function openForwarding(name: string): Promise<void> {
  return writeFile(`/proc/sys/net/ipv4/conf/${name}/forwarding`, '1');
}

async function ip(...args: readonly string[]): Promise<void> {
  await run('ip', args);
}
