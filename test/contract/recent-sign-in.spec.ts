import { operationsOf, filled, type DocumentedOperation } from './operations';
import { startTestApp, type TestApp } from '../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../support/service/factories';
import { call, type ErrorBody } from '../support/service/http';
import { FROM_OWN_PAGE, startSession } from '../support/web-interface/browser-cookie';

/** What changes keys, roles, invitations or credentials. */
const CHANGES = [
  'createApiKey',
  'rotateApiKey',
  'revokeApiKey',
  'endSession',
  'endOrgSession',
  'setCredentialRules',
  'changeMemberRole',
  'removeMember',
  'createSignInLink',
  'createServiceAccount',
  'updateServiceAccount',
  'deleteServiceAccount',
  'createServiceAccountKey',
  'revokeServiceAccountKey',
  'bindServiceAccountIdentity',
  'unbindServiceAccountIdentity',
  'createOrgRole',
  'updateOrgRole',
  'deleteOrgRole',
  'deleteOrganization',
  'inviteMembers',
  'revokeInvitation',
  'resendInvitation',
  'acceptInvitation',
  'createSecret',
  'updateSecret',
  'deleteSecret',
  'createUserGitCredential',
  'updateUserGitCredential',
  'deleteUserGitCredential',
  'createOrgGitCredential',
  'updateOrgGitCredential',
  'deleteOrgGitCredential',
  'saveUserLlmProfile',
  'deleteUserLlmProfile',
  'saveOrgLlmProfile',
  'deleteOrgLlmProfile',
  'createProviderConnection',
  'updateProviderConnection',
  'deleteProviderConnection',
  'createIdentityProvider',
  'updateIdentityProvider',
  'deleteIdentityProvider',
  'createDomain',
  'verifyDomain',
  'deleteDomain',
  'createWebhook',
  'updateWebhook',
  'deleteWebhook',
  'rotateWebhookSecret',
  'createLegalHold',
  'liftLegalHold',
  'eraseOwn',
  'eraseMember',
  'createScimToken',
  'revokeScimToken',
  'setScimGroupRole',
  'setOrgRetention',
  'saveSettings', // with a key or an address only
];

/** What else writes, and changes none of them. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'choices, names and limits': [
    'renameUserLlmProfile',
    'activateUserLlmProfile',
    'renameOrgLlmProfile',
    'activateOrgLlmProfile',
    'saveAgentProfile',
    'deleteAgentProfile',
    'renameAgentProfile',
    'activateAgentProfile',
    'saveOrgAgentProfile',
    'deleteOrgAgentProfile',
    'renameOrgAgentProfile',
    'activateOrgAgentProfile',
    'saveOrgAppSettings',
    'saveUserAppSettings',
    'renameOrganization',
    'switchOrganization',
    'setModelPolicy',
    'createBudget',
    'updateBudget',
    'deleteBudget',
    'updateMonthlyBudgets',
    'setBudgetOverride',
    'deleteBudgetOverride',
  ],
  'tell, or try again, where a webhook points already': [
    'disableWebhook',
    'enableWebhook',
    'testWebhook',
    'replayWebhookDelivery',
    'replayWebhookDeliveries',
  ],
  'change nothing that is kept': ['checkSession', 'previewMarketplaceSkills', 'testIdentityProvider'],
  'of conversations and sandboxes': [
    'startSandbox',
    'pauseSandbox',
    'resumeSandbox',
    'deleteSandbox',
    'relayCall',
    ...[
      'startAppConversation',
      'streamAppConversationStart',
      'updateAppConversation',
      'deleteAppConversation',
    ],
    'sendMessage',
    'interruptConversation',
    'stopOrgConversation',
    'switchConversationProfile',
    'switchConversationAcpModel',
    'queuePendingMessage',
    'reorderPendingMessages',
    'editPendingMessage',
    'cancelPendingMessage',
    'postToAgentServer',
    'putToAgentServer',
    'patchAtAgentServer',
    'deleteAtAgentServer',
  ],
  'open one stream, for as long as the session lasts': [
    'createConversationStreamTicket',
    'createOrganizationStreamTicket',
  ],
};

const HOUR_MS = 3_600_000;

let app: TestApp;
let owner: TestCaller;
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
});
afterAll(() => app.close());

const idOf = ({ operation }: DocumentedOperation): string => String(operation.operationId);
const writing = () =>
  operationsOf(app).filter(({ method, security }) => method !== 'GET' && security.includes('X-Access-Token'));

/** The headers of a browser whose person signed in some time ago. */
async function signedIn(agoMs: number): Promise<Record<string, string>> {
  const Cookie = await startSession(app, owner.key);
  await app.db.query(
    `UPDATE browser_sessions SET created_at = $1
      WHERE id = (SELECT max(id) FROM browser_sessions)`,
    [new Date(Date.now() - agoMs)],
  );
  return { Cookie, ...FROM_OWN_PAGE };
}

async function codeOf(operation: DocumentedOperation, headers: Record<string, string>): Promise<unknown> {
  const path = filled(operation.path, owner.orgId);
  const { status, body } = await call<ErrorBody | null>(app, operation.method, path, { headers, body: {} });
  return status === 403 ? body?.code : status;
}

it('every operation that writes is known to change keys, roles, invitations or credentials, or not to', () => {
  const known = [...CHANGES, ...Object.values(OTHERS).flat()];
  expect(writing().map(idOf).sort()).toEqual(known.sort());
});

it('those that do say so in the document, with the error as an example', () => {
  for (const operation of operationsOf(app)) {
    const says = JSON.stringify(operation.operation.responses['403'] ?? {}).includes('sign_in_again');
    expect([idOf(operation), says]).toEqual([idOf(operation), CHANGES.includes(idOf(operation))]);
  }
});

it('a session of more than an hour may do none of them, and everything else', async () => {
  const headers = await signedIn(HOUR_MS + 1_000);
  for (const operation of writing().filter((each) => idOf(each) !== 'saveSettings')) {
    const isRefused = (await codeOf(operation, headers)) === 'sign_in_again';
    expect([idOf(operation), isRefused]).toEqual([idOf(operation), CHANGES.includes(idOf(operation))]);
  }
});

it('a session of less, and a key, may do all of them', async () => {
  for (const headers of [await signedIn(HOUR_MS - 60_000), { 'X-Access-Token': owner.key }])
    for (const operation of writing().filter((each) => !['endSession', 'revokeApiKey'].includes(idOf(each))))
      expect([idOf(operation), await codeOf(operation, headers)]).not.toEqual([
        idOf(operation),
        'sign_in_again',
      ]);
});

it('is told at the permission, not before it', async () => {
  const { orgId } = owner;
  const member = await makeCaller(app.db, orgId);
  const Cookie = await startSession(app, member.key);
  await app.db.query("UPDATE browser_sessions SET created_at = now() - interval '2 hours'");
  const headers = { Cookie, ...FROM_OWN_PAGE };
  const { body } = await call<ErrorBody>(app, 'POST', `/api/organizations/${orgId}/members/invite`, {
    headers,
  });
  expect(body.code).toBe('permission_denied');
});

describe('saving settings', () => {
  const save = async (body: unknown): Promise<number> => {
    const headers = await signedIn(2 * HOUR_MS);
    return (await call(app, 'POST', '/api/v1/settings', { headers, body })).status;
  };

  it.each([
    { language: 'de', user_consents_to_analytics: false, disabled_skills: [] },
    { llm_model: 'openai/gpt-5', agent_settings_diff: { llm: { model: 'openai/gpt-5', seed: 1 } } },
    { agent_settings_diff: { condenser: { enabled: true } } },
  ])('of %j needs no recent sign-in', async (body) => {
    expect(await save(body)).toBe(200);
  });

  it.each([
    { llm_api_key: 'sk-other' },
    { llm_base_url: 'https://attacker.example.com' },
    { agent_settings_diff: { llm: { api_key: null } } },
    { agent_settings_diff: { llm: { base_url: 'https://attacker.example.com' } } },
    { agent_settings_diff: { llm: { extra_headers: { 'X-Team': 'other' } } } },
    { agent_settings_diff: { llm: { ollama_base_url: 'https://attacker.example.com' } } },
    { agent_settings_diff: { llm: null } },
    { agent_settings_diff: { mcp_config: { tickets: { url: 'https://attacker.example.com' } } } },
    { agent_settings_diff: { mcp_config: null } },
  ])('of %j does', async (body) => {
    expect(await save(body)).toBe(403);
  });
});
