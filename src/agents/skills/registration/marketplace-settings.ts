import { AllowedHosts, parseUuid } from '../../../kernel/common';
import { type Settings, SettingsError } from '../../../kernel/config';
import { passwordProblem, prefixProblem, userNameProblem } from '../../git-credentials/credential-rules';
import {
  refProblem,
  registrationNameProblem,
  registrationSourceProblem,
  repoPathProblem,
} from './registration-rules';

/**
 * Checks what the schema of the settings cannot know: the rules of registrations
 * (docs/contract.md#marketplace-registrations), of hosts and of credentials. Values of credentials are never
 * repeated.
 * @throws SettingsError with one line per problem
 */
export function checkMarketplaceSettings(settings: Settings): void {
  const problems = [
    ...AllowedHosts.problems('GIT_ALLOWED_HOSTS', settings.GIT_ALLOWED_HOSTS),
    ...credentialProblems(settings.GIT_CREDENTIALS),
    ...registrationProblems(settings.INSTANCE_MARKETPLACES),
  ];
  if (problems.length > 0) throw new SettingsError(problems);
}

function credentialProblems(credentials: Settings['GIT_CREDENTIALS']): string[] {
  return credentials.flatMap(({ url_prefix: prefix, org_id: orgId, username, password }, index) => {
    const problems = {
      url_prefix: prefixProblem(prefix),
      org_id: orgId === undefined || parseUuid(orgId) !== null ? null : 'must be a UUID',
      username: userNameProblem(username),
      password: passwordProblem(password),
    };
    return Object.entries(problems).flatMap(([field, problem]) =>
      problem === null ? [] : `GIT_CREDENTIALS.${index}.${field}: ${problem}`,
    );
  });
}

function registrationProblems(registrations: Settings['INSTANCE_MARKETPLACES']): string[] {
  const names = registrations.map(({ name }) => name);
  return registrations.flatMap(({ name, source, ref, repo_path: path }, index) => {
    const isTaken = names.indexOf(name) < index ? `the name ${name} is in the list already` : null;
    const problems = {
      name: registrationNameProblem(name) ?? isTaken,
      source: registrationSourceProblem(source),
      ref: ref === null ? null : refProblem(ref),
      repo_path: path === null ? null : repoPathProblem(path),
    };
    return Object.entries(problems).flatMap(([field, problem]) =>
      problem === null ? [] : `INSTANCE_MARKETPLACES.${index}.${field}: ${problem}`,
    );
  });
}
