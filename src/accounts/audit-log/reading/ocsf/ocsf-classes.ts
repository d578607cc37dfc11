/** A class of events of OCSF, with the activities that rows of the log are. */
export interface OcsfClass {
  readonly uid: number;
  readonly name: string;
  readonly category: { readonly uid: number; readonly name: string };
  readonly activities: Readonly<Record<number, string>>;
}

const IDENTITY = { uid: 3, name: 'Identity & Access Management' };
const OTHER = 99;

/** The version of OCSF that events are of. */
export const OCSF_VERSION = '1.5.0';

export const ACCOUNT_CHANGE: OcsfClass = {
  uid: 3001,
  name: 'Account Change',
  category: IDENTITY,
  activities: { 1: 'Create', 2: 'Enable', 5: 'Disable', 6: 'Delete', [OTHER]: 'Other' },
};

export const AUTHENTICATION: OcsfClass = {
  uid: 3002,
  name: 'Authentication',
  category: IDENTITY,
  activities: { 1: 'Logon', 2: 'Logoff', 6: 'Preauth' },
};

export const USER_ACCESS: OcsfClass = {
  uid: 3005,
  name: 'User Access Management',
  category: IDENTITY,
  activities: { 1: 'Assign Privileges', 2: 'Revoke Privileges' },
};

export const API_ACTIVITY: OcsfClass = {
  uid: 6003,
  name: 'API Activity',
  category: { uid: 6, name: 'Application Activity' },
  activities: { 1: 'Create', 2: 'Read', 3: 'Update', 4: 'Delete', [OTHER]: 'Other' },
};

/** What an action is in OCSF. */
export interface OcsfActivity {
  readonly of: OcsfClass;
  readonly id: number;
}

/** Actions that are more than a call; by class and activity. */
const NAMED: readonly (readonly [OcsfClass, number, readonly string[]])[] = [
  [ACCOUNT_CHANGE, 1, ['createServiceAccount', 'createScimUser']],
  [ACCOUNT_CHANGE, 2, ['user:enable']],
  [ACCOUNT_CHANGE, 5, ['user:disable']],
  [ACCOUNT_CHANGE, 6, ['deleteServiceAccount', 'deleteScimUser', 'user:erase']],
  [
    ACCOUNT_CHANGE,
    OTHER,
    [
      'updateServiceAccount',
      'bindServiceAccountIdentity',
      'unbindServiceAccountIdentity',
      'replaceScimUser',
      'patchScimUser',
    ],
  ],
  [AUTHENTICATION, 1, ['submitSignIn', 'enterCode', 'useLink', 'finish', 'fetchDeviceToken']],
  [AUTHENTICATION, 2, ['submitSignOut', 'signOut', 'endSession', 'endOrgSession']],
  [AUTHENTICATION, 6, ['chooseProvider', 'begin', 'askForMail', 'authorizeDevice']],
  [USER_ACCESS, 1, ['changeMemberRole', 'acceptInvitation', 'member:add']],
  [USER_ACCESS, 2, ['removeMember']],
];

const BY_ACTION: ReadonlyMap<string, OcsfActivity> = new Map(
  NAMED.flatMap(([of, id, actions]) => actions.map((action) => [action, { of, id }] as const)),
);

/** Those of them that are known by their names. */
export const NAMED_ACTIONS: readonly string[] = [...BY_ACTION.keys()];

/** With what verb the id of an operation begins, or a command ends, for each activity of a call. */
const VERBS: readonly (readonly [number, readonly string[]])[] = [
  [
    1,
    [
      'create',
      'add',
      'save',
      'start',
      'stream',
      'queue',
      'send',
      'receive',
      'post',
      'put',
      'invite',
      'issue',
    ],
  ],
  [
    2,
    [
      'get',
      'list',
      'read',
      'search',
      'count',
      'batch',
      'export',
      'download',
      'preview',
      'check',
      'head',
      'show',
    ],
  ],
  [
    3,
    [
      'update',
      'set',
      'patch',
      'replace',
      'change',
      'rename',
      'edit',
      'reorder',
      'switch',
      'activate',
      'enable',
      'disable',
      'rotate',
      'verify',
      'pause',
      'resume',
      'interrupt',
      'stop',
      'resend',
      'bind',
      'make',
      'rebuild',
      'reencrypt',
      'migrate',
      'restore',
    ],
  ],
  [4, ['delete', 'remove', 'revoke', 'cancel', 'end', 'unbind', 'erase', 'lift']],
];

const BY_VERB: ReadonlyMap<string, OcsfActivity> = new Map(
  VERBS.flatMap(([id, verbs]) => verbs.map((verb) => [verb, { of: API_ACTIVITY, id }] as const)),
);

/** What a row is: a key or session that was refused is a failed logon, whatever was called. */
export function activityOf(action: string, status: number | null): OcsfActivity {
  if (status === 401) return { of: AUTHENTICATION, id: 1 };
  const [, verb = ''] = /(?:^|[:.])([a-z]+)[^:.]*$/.exec(action) ?? [];
  return BY_ACTION.get(action) ?? BY_VERB.get(verb) ?? { of: API_ACTIVITY, id: OTHER };
}
