import { randomUUID } from 'node:crypto';
import type { Tenant } from '../../contract/tenant';

/** Where an operation comes in the walk: what others need is changed, ended or deleted after them. */
export const RANKS: Readonly<Record<string, number>> = {
  renameUserLlmProfile: 1,
  renameOrgLlmProfile: 1,
  renameAgentProfile: 1,
  renameOrgAgentProfile: 1,
  cancelPendingMessage: 2,
  stopOrgConversation: 3,
  bindServiceAccountIdentity: 4,
  unbindServiceAccountIdentity: 5,
  eraseMember: 7,
  eraseOwn: 8,
  deleteOrganization: 8,
  setCredentialRules: 9,
};

/** Deletions come after all that has no rank, what is within something before that. */
export const RANK_OF_DELETION = 6;

export const NEEDS_SANDBOX = 'needs a sandbox that runs: test/e2e/audit/conversation-rows.spec.ts';

/** Operations that cannot be made to succeed here, each with the reason; their rows say what became of them. */
export const CANNOT: Readonly<Record<string, string>> = {
  verifyDomain: 'asks the DNS of a domain',
  acceptInvitation: 'the token is of another user: test/e2e/audit/others.spec.ts',
  eraseMember: 'the member is removed by then: see the test below the walk',
  eraseOwn: 'something is held by then: see the test below the walk',
  deleteOrganization: 'something is held by then: see the test below the walk',
  previewMarketplaceSkills: 'fetches repositories from elsewhere',
  relayCall: NEEDS_SANDBOX,
  startSandbox: NEEDS_SANDBOX,
  startAppConversation: NEEDS_SANDBOX,
  streamAppConversationStart: NEEDS_SANDBOX,
  sendMessage: NEEDS_SANDBOX,
  interruptConversation: NEEDS_SANDBOX,
  switchConversationProfile: NEEDS_SANDBOX,
  switchConversationAcpModel: NEEDS_SANDBOX,
  postToAgentServer: NEEDS_SANDBOX,
  putToAgentServer: NEEDS_SANDBOX,
  patchAtAgentServer: NEEDS_SANDBOX,
  deleteAtAgentServer: NEEDS_SANDBOX,
};

/** What is said of an operation in place of what the document shows first. */
export interface Given {
  readonly body?: unknown;
  /** In place of the ids in the path, by the names of its parameters. */
  readonly ids?: Readonly<Record<string, string>>;
}

/** Of operations whose first example says something else than they need here. */
export const GIVEN: Readonly<Record<string, (tenant: Tenant) => Given>> = {
  createProviderConnection: () => ({ body: { provider: 'anthropic', api_key: 'sk-example' } }),
  createOrgRole: () => ({ body: { name: `Role ${randomUUID()}`, permissions: ['view_audit_log'] } }),
  // That of its example is there.
  createBudget: () => ({ body: { scope: 'organization', period: 'day', limit_usd: 500 } }),
  createLegalHold: (tenant) => ({
    body: { user_id: tenant.path('{user_id}'), reason: 'A case' },
  }),
  updateServiceAccount: () => ({ body: { name: 'Renamed' } }),
  bindServiceAccountIdentity: (tenant) => ({
    body: { provider_id: tenant.path('{provider_id}'), subject: 'nightly-build' },
  }),
  updateSecret: (tenant) => ({
    body: { name: tenant.path('{secret_name}'), value: 'another value' },
  }),
  createOrgGitCredential: () => ({
    body: { url_prefix: 'https://git.example.org/walk', username: 'x', password: 'ghp_example' },
  }),
  reorderPendingMessages: (tenant) => ({ body: { ids: [tenant.path('{message_id}')] } }),
  deleteUserLlmProfile: renamed,
  deleteOrgLlmProfile: renamed,
  deleteAgentProfile: renamed,
  deleteOrgAgentProfile: renamed,
  renameUserLlmProfile: rename,
  renameOrgLlmProfile: rename,
  renameAgentProfile: rename,
  renameOrgAgentProfile: rename,
};

const NEW_NAME = 'renamed-in-the-walk';

function rename(): Given {
  return { body: { new_name: NEW_NAME } };
}

function renamed(): Given {
  return { ids: { name: NEW_NAME } };
}
