import { OrgPath } from '../../../accounts/orgs';
import { hiddenProblem } from '../../../kernel/common';
import { Field, list, model, oneOf, string, uuid } from '../../../kernel/validation';
import { CREDENTIAL_PROVIDERS, type CredentialProvider } from '../credential-providers';
import {
  MAX_PASSWORD,
  MAX_URL_PREFIX,
  MAX_USERNAME,
  passwordProblem,
  prefixProblem,
  userNameProblem,
} from '../credential-rules';

const id = '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11';

const urlPrefix = () => string({ trim: true, maxLength: MAX_URL_PREFIX, rule: prefixProblem });
const userName = () => string({ maxLength: MAX_USERNAME, rule: userNameProblem });
const password = () => string({ maxLength: MAX_PASSWORD, rule: passwordProblem });
const newPassword = () =>
  string({ maxLength: MAX_PASSWORD, rule: (text) => hiddenProblem(text) ?? passwordProblem(text) });

const PREFIX = 'Host and the beginning of the path, in whole segments; a user name in it is left out.';
const PASSWORD = `Password or token, of at most ${MAX_PASSWORD} bytes, without control characters. Kept encrypted; never answered.`;
const USERNAME = 'Name of the user there, without colons; it may be empty.';
const PROVIDER =
  'Whose API the host has, for searches; absent or null where the host is a public one of a provider.';

/** A credential without its password. */
export class GitCredential {
  @Field(uuid(), { description: 'Its id.', example: id })
  id!: string;

  @Field(string(), { description: 'Where it is used: there and below.', example: 'https://github.com/acme' })
  url_prefix!: string;

  @Field(string(), { description: 'Name of the user there.', example: 'x-access-token' })
  username!: string;

  @Field(oneOf(CREDENTIAL_PROVIDERS), {
    nullable: true,
    description: 'Whose repositories are there, as given or as the host says; null where neither does.',
    example: 'github',
  })
  git_provider!: CredentialProvider | null;
}

export class GitCredentialList {
  @Field(list(model(() => GitCredential)), { description: 'The credentials, by address.' })
  credentials!: GitCredential[];
}

export class GitCredentialCreate {
  @Field(urlPrefix(), { description: PREFIX, example: 'https://github.com/acme' })
  url_prefix!: string;

  @Field(userName(), { description: USERNAME, example: 'x-access-token' })
  username!: string;

  @Field(newPassword(), { description: PASSWORD, example: 'ghp_example' })
  password!: string;

  @Field(oneOf(CREDENTIAL_PROVIDERS), {
    optional: true,
    nullable: true,
    description: PROVIDER,
    example: null,
  })
  git_provider?: CredentialProvider | null;
}

/** Changes to a credential; absent fields stay as they are. */
export class GitCredentialUpdate {
  @Field(urlPrefix(), {
    optional: true,
    description: `${PREFIX} At another host the password has to come along.`,
    example: 'https://github.com/acme',
  })
  url_prefix?: string;

  @Field(userName(), { optional: true, description: USERNAME, example: 'x-access-token' })
  username?: string;

  @Field(password(), { optional: true, description: PASSWORD, example: 'ghp_example' })
  password?: string;

  @Field(oneOf(CREDENTIAL_PROVIDERS), { optional: true, nullable: true, description: PROVIDER })
  git_provider?: CredentialProvider | null;
}

const KnownId = (list: string, none: string) =>
  Field(string(), {
    description: 'Id of the credential; what is no id of one is a 404.',
    example: id,
    exampleFrom: { get: list, list: 'credentials', value: 'id', none },
  });

export class GitCredentialPath {
  @KnownId('/api/v1/git/credentials', 'You have no credentials: store some with POST.')
  credential_id!: string;
}

export class OrgGitCredentialPath extends OrgPath {
  @KnownId(
    '/api/organizations/{org_id}/git-credentials',
    'The organization has no credentials: store some with POST.',
  )
  credential_id!: string;
}
