import { Field, list, model, string, uuid } from '../validation';
import { lineProblem, MAX_PASSWORD, MAX_URL_PREFIX, MAX_USERNAME, prefixProblem } from './credential-rules';

const id = '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11';

/** A credential without its password. */
export class GitCredential {
  @Field(uuid(), { description: 'Its id.', example: id })
  id!: string;

  @Field(string(), { description: 'Where it is used: there and below.', example: 'https://github.com/acme' })
  url_prefix!: string;

  @Field(string(), { description: 'Name of the user there.', example: 'x-access-token' })
  username!: string;
}

export class GitCredentialList {
  @Field(list(model(() => GitCredential)), { description: 'The credentials, by address.' })
  credentials!: GitCredential[];
}

export class GitCredentialCreate {
  @Field(string({ trim: true, maxLength: MAX_URL_PREFIX, rule: prefixProblem }), {
    description: 'Host and the beginning of the path, in whole segments.',
    example: 'https://github.com/acme',
  })
  url_prefix!: string;

  @Field(string({ maxLength: MAX_USERNAME, rule: lineProblem }), {
    description: 'Name of the user there.',
    example: 'x-access-token',
  })
  username!: string;

  @Field(string({ maxLength: MAX_PASSWORD, rule: lineProblem }), {
    description: 'Password or token. Kept encrypted; never answered.',
    example: 'ghp_example',
  })
  password!: string;
}

export class GitCredentialPath {
  @Field(string(), { description: 'Id of the credential; what is no id of one is a 404.', example: id })
  credential_id!: string;
}

export class OrgGitCredentialsPath {
  @Field(uuid(), { description: 'The organization.', example: '7c9e6679-7425-40de-944b-e07fc1f90ae7' })
  org_id!: string;
}

export class OrgGitCredentialPath extends OrgGitCredentialsPath {
  @Field(string(), { description: 'Id of the credential; what is no id of one is a 404.', example: id })
  credential_id!: string;
}
