import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const PROGRAM = `
const received = [];
const server = require('node:net').createServer((socket) => {
  process.stdout.write('connected\\n');
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    process.stdout.write('received ' + bytes.toString('base64') + '\\n');
    const body = JSON.stringify({ status: 'ok', success: true });
    socket.write('HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: ' + body.length + '\\r\\n\\r\\n' + body);
  });
});
server.on('error', () => setTimeout(listen, 5));
const listen = () => server.listen(Number(process.argv[1]), '127.77.0.1', () => process.stdout.write('listening\\n'));
listen();
`;

/** A process of another user that takes a port of sandboxes as soon as it is free, and says yes to everything. */
export class HostileListener {
  private said = '';

  private constructor(private readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.said += text));
  }

  /** @param uid the user it runs as */
  static start(port: number, uid: number): HostileListener {
    return new HostileListener(
      spawn(process.execPath, ['-e', PROGRAM, String(port)], {
        cwd: '/',
        uid,
        gid: uid,
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
  }

  get isListening(): boolean {
    return this.said.includes('listening\n');
  }

  /** How many connected. */
  get connections(): number {
    return this.said.split('connected\n').length - 1;
  }

  /** All that was sent to it. */
  get received(): string {
    return [...this.said.matchAll(/received (\S+)/g)]
      .map(([, text = '']) => Buffer.from(text, 'base64').toString())
      .join('');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}
