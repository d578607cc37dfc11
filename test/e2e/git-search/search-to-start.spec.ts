import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { type GitServerBehaviour, TestGitServer } from '../../support/git/git-server';
import { ProviderDouble } from '../../support/git/provider-double';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { ConversationClient } from '../../support/service/conversation-client';

/* Whatever a search lists can be started with and previewed, for every provider and form of a credential's address. */

interface Found {
  readonly items: readonly { readonly full_name: string }[];
}

let folder: string;
let git: TestGitServer;
let double: ProviderDouble;
let doubled: DoubledService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'search-to-start-'));
  git = await TestGitServer.start();
  double = await ProviderDouble.start();
  doubled = await DoubledService.start({ GIT_ALLOWED_HOSTS: git.host }, folder);
});
afterAll(async () => {
  await doubled.close();
  await Promise.all([git.close(), double.close()]);
  await rm(folder, { recursive: true, force: true });
});

const TOKEN = 'token-of-a-provider';

/** Owners or groups, projects and repositories. */
const plain = fc.constantFrom('acme', 'A-b_c.d', 'x', 'sub.group', '-dash', '.github', 'shop.js');
const free = fc.constantFrom('My shop', 'Läden & Co', '100%', 'a+b', '日本', "it's", '(new) [1]', 'x=y,z');
const name = (provider: string) => (provider === 'azure_devops' ? fc.oneof(plain, free) : plain);

const LENGTHS: Readonly<Record<string, fc.ArrayConstraints>> = {
  gitlab: { minLength: 2, maxLength: 4 },
  azure_devops: { minLength: 3, maxLength: 3 },
};

/** A repository as a provider has it, and the credential that is kept for it. */
const cases = fc.constantFrom('github', 'gitlab', 'bitbucket', 'forgejo', 'azure_devops').chain((provider) =>
  fc.record({
    provider: fc.constant(provider),
    names: fc.array(name(provider), LENGTHS[provider] ?? { minLength: 2, maxLength: 2 }),
    below:
      provider === 'gitlab' || provider === 'forgejo'
        ? fc.constantFrom('', '/git', '/a b/git')
        : fc.constant(''),
    namesOwner: fc.boolean(),
    user: fc.constantFrom('', 'acme@'),
  }),
);

it('what a search lists is started with and previewed, wherever the provider is', async () => {
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ provider, names, below, namesOwner, user }) => {
      const isAzure = provider === 'azure_devops';
      const [owner = ''] = names;
      // As an address has it, in which a sign of percent begins an escape.
      const ownerPath = owner.replaceAll('%', '%25');
      const unique = [...names.slice(0, -1), `${names.at(-1) ?? ''}${++turn}`];
      const full = unique.join('/');
      const path = isAzure ? [...unique.slice(0, 2), '_git', ...unique.slice(2)].join('/') : full;
      const at = `${below}/${path}`;
      await git.repository(at.slice(1), { 'README.md': full });
      double.tokens.clear();
      double.tokens.set(TOKEN, { repositories: [full], branches: ['main'] });
      git.behaviour = {
        auth: { prefix: '/', username: 'bot', password: TOKEN },
        api: apiBelow(below),
      };
      const { key, orgId } = await makeCaller(
        doubled.service.app.db,
        (await makeOrg(doubled.service.app.db)).id,
        'admin',
      );
      const client = new ConversationClient(doubled.service.app, key);
      const address = [
        `http://${user}${git.host}${below}`,
        ...(namesOwner || isAzure ? [ownerPath] : []),
      ].join('/');
      const credential = { url_prefix: address, username: 'bot', password: TOKEN, git_provider: provider };
      for (const kept of ['/api/v1/git/credentials', `/api/organizations/${orgId}/git-credentials`])
        expect((await client.call('POST', kept, { body: credential })).status).toBe(201);
      const listed = await client.call<Found>('GET', `/api/v1/git/repositories/search?provider=${provider}`);
      expect(listed.body.items.map((item) => item.full_name)).toEqual([full]);
      // Both forms, in turn.
      const whole = `http://${user}${git.host}${at.split('/').map(escaped).join('/')}`;
      const started = await client.ended(
        (await client.begin({ selected_repository: turn % 2 === 0 ? full : whole, git_provider: provider }))
          .id,
      );
      expect([full, started.status, started.detail]).toEqual([full, 'READY', null]);
      const preview = await client.call<{ errors: string[] }>('POST', '/api/v1/skills/marketplace-skills', {
        body: [{ name: 'team', source: whole }],
      });
      expect([
        preview.status,
        preview.body.errors.filter((error) => /credential|address|no such/.test(error)),
      ]).toEqual([200, []]);
    }),
    { numRuns: 10 },
  );
});

/** A name in an address of plain characters. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

/** The provider's API, below a path. */
function apiBelow(below: string): NonNullable<GitServerBehaviour['api']> {
  const { length } = encodeURI(below);
  return {
    prefix: new RegExp(`^${encodeURI(below)}(/api/v|/2\\.0/|/.*/?_apis/)`),
    answer: (request, response) => {
      request.url = request.url?.slice(length);
      double.answer(request, response);
    },
  };
}
