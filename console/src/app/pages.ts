import type { ComponentType } from 'preact';
import { texts } from '../text';
import { extensionPages } from './extension-pages';
import type { Organization } from './organization';

/** What every page gets. */
export interface PageProps {
  /** What of the address follows the page's own path: the id of a conversation, say; empty for the page itself. */
  readonly rest: string;
}

/** One page of the menu: a module of its own, loaded when it is opened. */
export interface ConsolePage {
  /** The part of the address after the organization. */
  readonly path: string;
  readonly name: string;
  /** Whether the role may call the page's operations; without that, the page is not in the menu. */
  readonly isFor: (organization: Organization) => boolean;
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
}

const everybody = (): boolean => true;

/** The pages, in the order of the menu. The first one that the role may see is the first page. */
export const PAGES: readonly ConsolePage[] = [
  {
    path: 'overview',
    name: texts.menu.overview,
    isFor: ({ can }) => can('view_org_conversations'),
    load: () => import('../pages/overview/overview'),
  },
  {
    path: 'conversations',
    name: texts.menu.conversations,
    isFor: everybody,
    load: () => import('../pages/conversations/conversations'),
  },
  {
    path: 'usage',
    name: texts.menu.usage,
    isFor: everybody,
    load: () => import('../pages/usage/usage'),
  },
  {
    path: 'budgets',
    name: texts.menu.budgets,
    isFor: ({ can }) => can('view_budgets'),
    load: () => import('../pages/budgets/budgets'),
  },
  {
    path: 'people',
    name: texts.menu.people,
    isFor: ({ can }) => can('view_org_settings'),
    load: () => import('../pages/people/people'),
  },
  {
    path: 'roles',
    name: texts.menu.roles,
    isFor: ({ can }) => can('view_org_settings'),
    load: () => import('../pages/roles/roles'),
  },
  {
    path: 'identity',
    name: texts.menu.identity,
    isFor: ({ can }) => can('manage_identity_providers') || can('manage_scim'),
    load: () => import('../pages/identity/identity'),
  },
  {
    path: 'service-accounts',
    name: texts.menu.serviceAccounts,
    isFor: ({ can }) => can('manage_service_accounts'),
    load: () => import('../pages/service-accounts/service-accounts'),
  },
  {
    path: 'keys',
    name: texts.menu.keys,
    isFor: ({ can }) => can('manage_api_keys'),
    load: () => import('../pages/keys/keys'),
  },
  {
    path: 'git',
    name: texts.menu.git,
    isFor: everybody,
    load: () => import('../pages/git/git'),
  },
  {
    path: 'models',
    name: texts.menu.models,
    isFor: ({ can }) => can('view_org_settings'),
    load: () => import('../pages/models/models'),
  },
  {
    path: 'model-policy',
    name: texts.menu.modelPolicy,
    isFor: ({ can }) => can('view_org_settings'),
    load: () => import('../pages/model-policy/model-policy'),
  },
  {
    path: 'marketplaces',
    name: texts.menu.marketplaces,
    isFor: ({ can }) => can('manage_application_settings'),
    load: () => import('../pages/marketplaces/marketplaces'),
  },
  {
    path: 'settings',
    name: texts.menu.settings,
    isFor: ({ can }) => can('manage_application_settings') || can('delete_organization'),
    load: () => import('../pages/settings/settings'),
  },
  {
    path: 'webhooks',
    name: texts.menu.webhooks,
    isFor: ({ can }) => can('manage_webhooks'),
    load: () => import('../pages/webhooks/webhooks'),
  },
  {
    path: 'audit',
    name: texts.menu.audit,
    isFor: ({ can }) => can('view_audit_log'),
    load: () => import('../pages/audit/audit'),
  },
  {
    path: 'retention',
    name: texts.menu.retention,
    isFor: ({ can }) => can('view_retention'),
    load: () => import('../pages/retention/retention'),
  },
  {
    path: 'holds',
    name: texts.menu.holds,
    isFor: ({ can }) => can('manage_legal_holds'),
    load: () => import('../pages/holds/holds'),
  },
  ...extensionPages(),
];
