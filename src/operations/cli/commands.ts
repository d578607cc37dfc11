import type { Prepared } from '../../start-up';
import type { CommandOptions, DescribedCommand, SERVICE_COMMANDS } from '../extensions';
import type { OperatorCommands } from './operator-commands';

/** A command that works on the database. */
export interface Command extends DescribedCommand {
  /** Whether it changes something in no transaction: it leaves its row of the audit log when it has ended. */
  readonly leavesRow?: true;
  /** @returns what is printed, as JSON */
  run(operator: OperatorCommands, options: CommandOptions, prepared: Prepared): Promise<object> | object;
}

/** A name of the service's own commands: those of extensions are compared with them. */
export type ServiceCommand = (typeof SERVICE_COMMANDS)[number];

/** The commands that work on the database (docs/contract.md#command-line). */
export const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: {
    about: 'Brings the schema of the database up to date.',
    options: {},
    run: (_, __, { migrated }) => ({ migrations: migrated }),
  },
  'org:create': {
    about: 'Creates an organization with an owner, and a key of theirs that is bound to it.',
    options: {
      name: { about: 'name of the organization' },
      'owner-email': { about: 'e-mail address of the owner, who is created if needed' },
      'owner-name': { about: 'name of an owner who is created', isOptional: true },
      id: { about: 'UUID of the organization; a random one without it', isOptional: true },
    },
    run: (operator, o) =>
      operator.createOrg(required(o, 'name'), required(o, 'owner-email'), o['owner-name'], o.id),
  },
  'org:list': {
    about: 'Lists all organizations, with their owners.',
    options: {},
    run: (operator) => operator.listOrganizations(),
  },
  'org:remove': {
    about: 'Deletes an organization and all it has; said again, tells how far that has come.',
    options: {
      org: { about: 'id of the organization', isPositional: true },
      confirm: { about: 'its name, since this cannot be undone' },
    },
    run: (operator, o) =>
      operator.organizations.removeOrganization(required(o, 'org'), required(o, 'confirm')),
  },
  'member:add': {
    about: 'Adds a member to an organization, with a key that is bound to it.',
    options: {
      org: { about: 'id of the organization' },
      email: { about: 'e-mail address of the member, who is created if needed' },
      role: { about: 'member, admin or owner' },
      name: { about: 'name of a member who is created', isOptional: true },
    },
    run: (operator, o) =>
      operator.addMember(required(o, 'org'), required(o, 'email'), required(o, 'role'), o.name),
  },
  'user:disable': {
    about: 'Disables a user, which ends all their keys.',
    options: { email: { about: 'e-mail address of the user' } },
    run: (operator, o) => operator.disableUser(required(o, 'email')),
  },
  'user:enable': {
    about: 'Enables a user again, with the keys that they have.',
    options: { email: { about: 'e-mail address of the user' } },
    run: (operator, o) => operator.enableUser(required(o, 'email')),
  },
  'user:erase': {
    about: 'Erases a user: deletes all that they have, for good, and leaves figures.',
    options: {
      email: { about: 'e-mail address of the user' },
      'dry-run': { about: 'only says what would be erased', isOptional: true, isFlag: true },
      'when-lifted': {
        about: 'where there is a legal hold, begins once it is lifted',
        isOptional: true,
        isFlag: true,
      },
    },
    run: async (operator, o, { installation }) => {
      const asked = {
        email: required(o, 'email'),
        isDryRun: o['dry-run'] !== undefined,
        whenLifted: o['when-lifted'] !== undefined,
      };
      const { eraseUser } = await import('./persons/erase-user.ts');
      return eraseUser(installation, operator, asked);
    },
  },
  'user:list': {
    about: 'Lists all users, with their organizations and roles.',
    options: {},
    run: (operator) => operator.listUsers(),
  },
  'key:issue': {
    about: 'Issues a key to a user.',
    options: {
      email: { about: 'e-mail address of the user, unless it is --owner', isOptional: true },
      owner: { about: 'for the first owner', isOptional: true, isFlag: true },
      org: {
        about: 'id of the only organization it is for; without it, for all of the user',
        isOptional: true,
      },
      'expires-at': { about: 'when it ends, for example 2030-01-01T00:00:00Z', isOptional: true },
      scopes: {
        about: 'the permissions that it can use at most, with commas; without it, all of the user',
        isOptional: true,
      },
      addresses: {
        about: 'the only addresses from which it counts, or ranges of them, with commas',
        isOptional: true,
      },
    },
    run: (operator, o) =>
      operator.issueKey(
        { email: o.email, isForOwner: o.owner !== undefined },
        { org: o.org, expiresAt: o['expires-at'], scopes: o.scopes, addresses: o.addresses },
      ),
  },
  'key:revoke': {
    about: 'Revokes a key.',
    options: { id: { about: 'number of the key' } },
    run: (operator, o) => operator.revokeKey(required(o, 'id')),
  },
  'key:list': {
    about: 'Lists the keys of all users, without what they are.',
    options: {},
    run: (operator) => operator.listKeys(),
  },
  'domain:verify': {
    about: "Says that a domain of mail addresses is an organization's own, in place of its DNS.",
    options: { org: { about: 'id of the organization' }, domain: { about: 'such as example.com' } },
    run: (operator, o) => operator.organizations.verifyDomain(required(o, 'org'), required(o, 'domain')),
  },
  'domain:remove': {
    about: 'Takes a domain of mail addresses from an organization, whose it is no more.',
    options: { org: { about: 'id of the organization' }, domain: { about: 'such as example.com' } },
    run: (operator, o) => operator.organizations.removeDomain(required(o, 'org'), required(o, 'domain')),
  },
  'provider:optional': {
    about: 'Has an organization let people in by more than its provider of identities again.',
    options: { org: { about: 'id of the organization' } },
    run: (operator, o) => operator.organizations.makeProviderOptional(required(o, 'org')),
  },
  'secrets:reencrypt': {
    about: 'Moves everything that older keys have sealed to the present SECRET_KEY.',
    options: {},
    leavesRow: true,
    run: (operator, _, { box }) => operator.reencryptSecrets(box),
  },
  'counters:rebuild': {
    about: 'Counts the organization list anew, while others write.',
    options: {},
    run: (operator) => operator.rebuildCounters(),
  },
  'subscribers:failed': {
    about: 'Lists what listeners of domain events failed to do.',
    options: {},
    run: (operator) => operator.listFailedListenerJobs(),
  },
} satisfies Partial<Record<ServiceCommand, Command>>;

/** The command that needs no database. */
export const OPENAPI = {
  name: 'openapi' satisfies ServiceCommand,
  about: 'Prints the OpenAPI document; needs no database.',
  options: {},
};

/** The value of a required option; reading the command line has checked that it is there. */
function required(options: CommandOptions, name: string): string {
  return options[name] ?? '';
}
