import { Worker } from 'node:worker_threads';

/** Answers at once, except below `/hang`, and says what arrived: the event's id and when, batched over a few milliseconds. */
const SERVER = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
let arrived = [];
const report = () => { parentPort.postMessage(arrived); arrived = []; };
createServer((request, response) => {
  const at = performance.timeOrigin + performance.now();
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    if (request.url === '/hang') return;
    if (arrived.length === 0) setTimeout(report, 3);
    arrived.push([request.url + ' ' + /"event_id":"([^"]+)"/.exec(body)[1], at]);
    response.writeHead(204).end();
  });
}).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port); });
`;

/** Milliseconds by a clock that threads share. */
export const now = (): number => performance.timeOrigin + performance.now();

/** An HTTP server in a thread of its own that is called back. */
export class Receiver {
  /** When what arrived, by path and event. */
  readonly arrivals = new Map<string, number>();

  private constructor(
    private readonly worker: Worker,
    readonly port: number,
  ) {
    worker.on('message', (batch: [string, number][]) => {
      for (const [what, at] of batch) this.arrivals.set(what, at);
    });
  }

  static async start(): Promise<Receiver> {
    const worker = new Worker(SERVER, { eval: true });
    const port = await new Promise<number>((resolve) => worker.once('message', resolve));
    return new Receiver(worker, port);
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}
