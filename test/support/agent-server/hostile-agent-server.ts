import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AgentServer } from '../../../src/sandboxes/agent-server';

/** What the last step of a path asks for; `/events/search` and `/skills` are asked for by the client itself. */
const PROGRAM = `
const { createServer } = require('node:http');
const { gzipSync } = require('node:zlib');
const MEBIBYTE = 1024 * 1024;
const start = '{"id":"values","kind":"K","timestamp":"2026-01-02T03:04:05","a":[0';
const answers = {
  endless: (response) => {
    const chunk = Buffer.alloc(MEBIBYTE, 'x');
    const more = () => { while (!response.destroyed && response.write(chunk)); };
    response.on('drain', more);
    response.writeHead(200);
    more();
  },
  announced: (response) => response.writeHead(200, { 'content-length': 2 ** 40 }).write('{'),
  slow: (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 5);
    response.on('close', () => clearInterval(timer));
  },
  bomb: (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(gzipSync(Buffer.alloc(256 * MEBIBYTE, ' ')));
  },
  headers: (response, socket) => {
    let line = 0;
    socket.write('HTTP/1.1 200 OK\\r\\n');
    const more = () => {
      while (line < 1e6) if (!socket.write('X-' + line++ + ': y\\r\\n')) return;
      socket.end('\\r\\n');
    };
    socket.on('drain', more);
    more();
  },
  values: (response) => response.end(start + ',[]'.repeat(5 * MEBIBYTE) + ']}'),
  deep: (response) => response.end(start + ','.padEnd(MEBIBYTE / 2, '[').padEnd(MEBIBYTE, ']') + ']}'),
  search: (response) => response.end('{"items":[' + '0,'.repeat(7 * MEBIBYTE) + '0]}'),
  skills: (response) => response.end('{"sources":{' + Array.from({ length: 1e6 }, (_, n) => '"' + n + '":""').join() + '}}'),
  refusal: (response) => response.writeHead(422).end('{"detail":[' + '{},'.repeat(3e5) + '{}]}'),
  long_refusal: (response) => response.writeHead(404).end('{"detail":"' + 'x'.repeat(80 * MEBIBYTE) + '"}'),
};
createServer((request, response) => {
  request.resume();
  response.on('error', () => undefined);
  request.socket.on('error', () => undefined);
  const kind = new URL(request.url, 'http://x').pathname.split('/').pop();
  (answers[kind] ?? answers.endless)(response, request.socket);
}).listen(0, '127.0.0.1', function () { process.stdout.write(this.address().port + '\\n'); });
process.stdin.resume().on('end', () => process.exit());
`;

/**
 * An agent server that wants to take the memory, or the time, of who asks it. It is a process of its own: what it holds
 * is not the service's.
 */
export class HostileAgentServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly target: AgentServer,
  ) {}

  static async start(): Promise<HostileAgentServer> {
    const child = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    return new HostileAgentServer(child, {
      baseUrl: `http://127.0.0.1:${port.toString().trim()}`,
      apiKey: 'hostile',
    });
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}
