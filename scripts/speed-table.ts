import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const RESULTS = join(__dirname, '..', 'bench', 'results');

const measured = { machine: z.object({ node: z.string() }) };
const rate = z.object({ perSecond: z.number() });

const schemas = {
  frame: z.object({
    ...measured,
    results: z.record(z.string(), rate.extend({ ratioToNest: z.number() })),
  }),
  'org-list': z.object({
    ...measured,
    results: z.array(
      rate.extend({
        conversations: z.number(),
        request: z.string(),
        ratioPrepared: z.number().optional(),
        ratioFastApi: z.number().optional(),
      }),
    ),
  }),
  'send-message': z.object({
    ...measured,
    results: z.object({ at16Connections: z.object({ service: rate, shareOfRemembering: z.number() }) }),
  }),
  queue: z.object({
    ...measured,
    results: z.object({ perSecondOneReplica: z.number(), perSecondTwoReplicas: z.number() }),
  }),
  events: z.object({
    ...measured,
    times: z.object({ oneEvent: z.object({ serviceMs: z.number(), databaseMs: z.number() }) }),
    eventsPerSecond: z.object({ alone: z.number() }),
  }),
  credentials: z.object({
    ...measured,
    results: z.record(z.string(), rate.extend({ ratioToKey: z.number() })),
  }),
  'sign-in': z.object({ ...measured, milliseconds: z.object({ first: p50(), again: p50() }) }),
  scim: z.object({ ...measured, people: z.number(), each: z.object({ create: rate }) }),
  'start-up': z.object({
    ...measured,
    firstStartMs: median(),
    secondStartMs: median(),
    serviceMiBAtRest: median(),
  }),
};

function p50() {
  return z.object({ whole: z.object({ p50: z.number() }) });
}

function median() {
  return z.object({ median: z.number() });
}

/** What `npm run bench -- NAME` measured last. */
function resultsOf<Name extends keyof typeof schemas>(name: Name): z.infer<(typeof schemas)[Name]>;
function resultsOf(name: keyof typeof schemas): unknown {
  return schemas[name].parse(JSON.parse(readFileSync(join(RESULTS, `${name}.json`), 'utf8')));
}

/** The rows of the table of speed in the README, with its head: what was measured last of each. */
export function speedRows(): string[][] {
  return [
    ['What', 'Measured', 'Compared with', 'Node', '`npm run bench --`'],
    ...frame(),
    ...list(),
    ...sending(),
    ...identity(),
    ...start(),
  ];
}

function frame(): string[][] {
  const { machine, results } = resultsOf('frame');
  return ['GET /alive', 'GET /api/keys/current'].flatMap((name) => {
    const found = results[name];
    if (found === undefined) return [];
    const against = `${found.ratioToNest.toFixed(2)} of a bare Nest application with one route`;
    return [[`\`${name}\``, perSecond(found.perSecond), against, machine.node, '`frame`']];
  });
}

function list(): string[][] {
  const { machine, results } = resultsOf('org-list');
  return results
    .filter(({ request }) => request === 'default')
    .map(({ conversations, ratioPrepared, ratioFastApi, ...found }) => {
      const against = [
        ...(ratioPrepared === undefined
          ? []
          : [`${ratioPrepared.toFixed(2)} of a bare server with prepared statements`]),
        ...(ratioFastApi === undefined ? [] : [`${ratioFastApi.toFixed(1)} times a FastAPI service`]),
      ].join(', ');
      const what = `a page of the organization list, of ${shown(conversations)}`;
      return [what, perSecond(found.perSecond), against, machine.node, '`org-list`'];
    });
}

function sending(): string[][] {
  const message = resultsOf('send-message');
  const { service, shareOfRemembering } = message.results.at16Connections;
  const queue = resultsOf('queue');
  const events = resultsOf('events');
  const { oneEvent } = events.times;
  return [
    [
      'a message sent to an agent',
      perSecond(service.perSecond),
      `${shareOfRemembering.toFixed(2)} of a bare proxy with the same look-ups`,
      message.machine.node,
      '`send-message`',
    ],
    [
      'a queued message delivered',
      perSecond(queue.results.perSecondOneReplica),
      `${perSecond(queue.results.perSecondTwoReplicas)} on two replicas`,
      queue.machine.node,
      '`queue`',
    ],
    [
      'an event taken from an agent',
      `${oneEvent.serviceMs} ms of the service, ${oneEvent.databaseMs} ms of PostgreSQL`,
      `in batches ${perSecond(events.eventsPerSecond.alone)}`,
      events.machine.node,
      '`events`',
    ],
  ];
}

function identity(): string[][] {
  const { machine, results } = resultsOf('credentials');
  const signIn = resultsOf('sign-in');
  const { people, each, machine: of } = resultsOf('scim');
  const tokens = ['JWT', 'introspected token'].flatMap((name) => {
    const found = results[name];
    if (found === undefined) return [];
    const against = `${found.ratioToKey.toFixed(2)} of the processor time with an API key`;
    return [
      [
        `a request with ${name === 'JWT' ? 'a' : 'an'} ${name}`,
        perSecond(found.perSecond),
        against,
        machine.node,
        '`credentials`',
      ],
    ];
  });
  const { first, again } = signIn.milliseconds;
  return [
    ...tokens,
    [
      'a sign-in at a provider, its pages included',
      `${first.whole.p50} ms`,
      `${again.whole.p50} ms for who was here before`,
      signIn.machine.node,
      '`sign-in`',
    ],
    [
      `a person made by a directory, of ${shown(people)}`,
      perSecond(each.create.perSecond),
      '',
      of.node,
      '`scim`',
    ],
  ];
}

function start(): string[][] {
  const { machine, firstStartMs, secondStartMs, serviceMiBAtRest } = resultsOf('start-up');
  const node = machine.node;
  return [
    ['the first start', milliseconds(firstStartMs.median), '', node, '`start-up`'],
    ['a second start', milliseconds(secondStartMs.median), '', node, '`start-up`'],
    ['memory at rest', `${serviceMiBAtRest.median} MiB`, '', node, '`start-up`'],
  ];
}

function perSecond(count: number): string {
  return `${shown(count)} a second`;
}

function milliseconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function shown(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}
