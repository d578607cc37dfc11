import { eventually } from '../support/eventually';
import { inviteOne, tokenOf } from '../support/invitations/invitations';
import { reply } from '../support/model/scripted-model';
import { makeCaller, makeOrg } from '../support/service/factories';
import { Crawler } from '../support/web-interface/crawler';
import { InterfaceWithAgents, PATIENCE_MS } from '../support/web-interface/interface-with-agents';
import { describeWithInterface } from '../support/web-interface/real-interface';

/** What ends the conversation or the session, or leads out of the interface; and of a catalogue all but a few. */
const SPARED =
  /confirm|delete|stop-(server-)?button|logout|Sign out|(Revoke|End) |mcp-marketplace-(card|toggle)-(?!github|slack)/i;

/** What a form says that is sent empty. */
const EXPECTED = /: toast: .* is required$/;

/** All pages together. */
const CRAWL_MS = 900_000;

const PAGES = [
  ...[
    '/',
    '/conversations',
    '/launch',
    '/customize',
    '/skills',
    '/plugins',
    '/apps',
    '/mcp',
    '/extensions/x',
  ],
  ...['app', 'llm', 'secrets', 'agent', 'agents', 'condenser', 'agent-context', 'verification'].map(
    (name) => `/settings/${name}`,
  ),
  // Pages of the service's own.
  '/login',
  '/settings',
];

describeWithInterface('every control of the web interface, pressed in a browser', () => {
  let visit: InterfaceWithAgents;
  let crawler: Crawler;

  beforeAll(async () => {
    visit = await InterfaceWithAgents.start();
    visit.model.when('Make a list', reply.terminal('echo one > list.txt'), reply.text('It is made.'));
    crawler = await Crawler.on(await visit.open('/'), { depth: 2, spare: SPARED, expected: EXPECTED });
  });
  afterAll(() => visit.stop());

  const expectFaultless = async (path: string): Promise<void> =>
    expect(await crawler.crawl(visit.origin + path)).toEqual([]);

  // Before settings change what it runs on.
  it(
    'does something on the page of a conversation, without an error',
    async () => {
      const content = [{ type: 'text', text: 'Make a list.' }];
      const id = await visit.service.ready({ initial_message: { role: 'user', content } });
      await eventually(
        async () => expect(await visit.service.record(id)).toMatchObject({ execution_status: 'finished' }),
        PATIENCE_MS,
      );
      await expectFaultless(`/conversations/${id}`);
    },
    CRAWL_MS,
  );

  it.each(PAGES)('does something on %s, without an error', expectFaultless, CRAWL_MS);

  it(
    'does something on the page of an invitation, without an error',
    async () => {
      const { app, owner } = visit.service;
      const other = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
      const invitation = await inviteOne(app, other, owner.email);
      await expectFaultless(`/api/organizations/members/invite/accept?token=${tokenOf(invitation)}`);
    },
    CRAWL_MS,
  );
});
