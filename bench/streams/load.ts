import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Replica } from './replica';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Tells events of a conversation at a rate, one by one, as its agent server does. */
export class Load {
  readonly sentAt = new Map<string, number>();
  told = 0;

  constructor(
    private readonly replicas: readonly Replica[],
    private readonly sessionKey: string,
  ) {}

  /** @returns how many events were stored */
  async run(conversationId: string, perSecond: number, seconds: number): Promise<number> {
    const path = `/api/v1/webhooks/events/${conversationId}`;
    const began = performance.now() + Math.random() * (1_000 / perSecond);
    const count = perSecond * seconds;
    for (let n = 0; n < count; n++) {
      await pause(Math.max(0, began + (n * 1_000) / perSecond - performance.now()));
      const id = randomUUID();
      const timestamp = new Date().toISOString();
      this.sentAt.set(id, performance.now());
      await this.tell(path, JSON.stringify([{ id, timestamp, kind: 'PauseEvent', source: 'user' }]), n);
      this.told++;
    }
    return count;
  }

  /** Until a replica has taken it: storing again changes nothing. */
  private async tell(path: string, body: string, n: number): Promise<void> {
    for (let tries = 0; ; tries++) {
      const alive = this.replicas.filter(({ isKilled }) => !isKilled);
      const url = alive[(n + tries) % alive.length]?.url ?? '';
      if ((await post(`${url}${path}`, body, this.sessionKey).catch(() => 0)) === 200) return;
      if (tries > 1_000) throw new Error('No replica takes events.');
      await pause(10);
    }
  }
}

function post(url: string, body: string, key: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-Session-API-Key': key, 'Content-Type': 'application/json' };
    const call = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(body);
  });
}
