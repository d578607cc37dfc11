/** The process of `TimedRequests`. */
import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import { MIX, type PlannedRequest } from './mix';
import { orderSchema, requestsSchema, type timedSchema } from './timed-requests';

const { service, bare } = requestsSchema.parse(JSON.parse(process.argv[2] ?? ''));
let open: readonly string[] = [];
let failures = new Map<string, number>();
const timed: { service: number[]; bare: number[] } = { service: [], bare: [] };

/** Sends requests at a rate, as long as somebody is interested in them. */
async function keepSending(perSecond: number, next: () => Promise<void>): Promise<void> {
  const began = performance.now();
  for (let n = 0; process.connected; n++) {
    await pause(Math.max(0, began + (n * 1_000) / perSecond - performance.now()));
    void next();
  }
}

/** Performs a request. @returns how long it took, in ms */
async function perform(url: string, [method, path, body]: PlannedRequest): Promise<number> {
  const began = performance.now();
  try {
    const response = await fetch(url + path, {
      method,
      headers: { 'X-Access-Token': service.key, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    if (!response.ok) note(`${method} ${path.replace(/[0-9a-f-]{36}/, '{id}')}: ${response.status}`);
  } catch (error) {
    note(`${method}: ${String(error)}`);
  }
  return performance.now() - began;
}

function note(failure: string): void {
  failures.set(failure, (failures.get(failure) ?? 0) + 1);
}

function randomOf<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}

async function askService(): Promise<void> {
  const id = randomOf(open);
  const planned = id !== undefined && randomOf(MIX)?.(id, service.orgId);
  if (planned) timed.service.push(await perform(service.url, planned));
}

async function askBare(): Promise<void> {
  const path = randomOf(bare.paths);
  if (path !== undefined) timed.bare.push(await perform(bare.url, ['GET', path]));
}

process.on('message', (message) => {
  const order = orderSchema.parse(message);
  if (order === 'take') {
    const told: z.infer<typeof timedSchema> = { ...timed, failures: Object.fromEntries(failures) };
    process.send?.(told);
    Object.assign(timed, { service: [], bare: [] });
    failures = new Map();
  } else open = order.open;
});
void keepSending(service.perSecond, askService);
void keepSending(bare.perSecond, askBare);
