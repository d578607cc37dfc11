/** Git hosts that have a short form: `github:owner/repo` (docs/contract.md#marketplace-registrations). */
export const GIT_HOSTS: ReadonlyMap<string, string> = new Map([
  ['github', 'github.com'],
  ['gitlab', 'gitlab.com'],
  ['bitbucket', 'bitbucket.org'],
  ['codeberg', 'codeberg.org'],
]);

const MAX_NAME = 100;
const MAX_SOURCE = 2048;
const MAX_PATH = 2048;
const MAX_REF = 255;

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const SHORT_FORM = /^([a-z0-9-]+):([A-Za-z0-9._-]+)\/([A-Za-z0-9._-]+)$/;
/** A host must not start with a hyphen: git would pass it to ssh as an option. */
const HOST = '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?';
const URL = new RegExp(
  `^(?:https?|ssh|git)://(?:[A-Za-z0-9._~+-]+@)?(?:${HOST}|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?/[A-Za-z0-9._~/%+@=,-]+$`,
);
const SCP = new RegExp(`^git@${HOST}:[A-Za-z0-9._~/+@=,-]+$`);
const LOCAL_PATH = /^[^/\-.~\\:][^\\:]*$/;
const DRIVE = /^[A-Za-z]:/;
const CONTROL = /\p{Cc}/u;

/** @returns what is wrong with the name of a registration, or null */
export function registrationNameProblem(name: string): string | null {
  return name.length <= MAX_NAME && NAME.test(name)
    ? null
    : `name must start with a letter and contain only letters, digits, hyphens and underscores (at most ${MAX_NAME} characters)`;
}

/** @returns what is wrong with the source of a registration, or null */
export function registrationSourceProblem(source: string): string | null {
  return source.length <= MAX_SOURCE && isSource(source)
    ? null
    : `source must be 'host:owner/repo', a git URL without a password, or a relative path, with no '..' segment (at most ${MAX_SOURCE} characters)`;
}

/** @returns what is wrong with the path inside the repository, or null */
export function repoPathProblem(path: string): string | null {
  const isPath =
    path !== '' &&
    path.length <= MAX_PATH &&
    !path.startsWith('/') &&
    !path.includes('\\') &&
    !path.includes('://') &&
    !DRIVE.test(path) &&
    !CONTROL.test(path) &&
    !hasParentSegment(path);
  return isPath ? null : "repo_path must be a relative path with no '..' segment, backslash or URL scheme";
}

/** The rules of `git check-ref-format`, and no leading hyphen that git could take for an option. */
export function refProblem(ref: string): string | null {
  const isRef =
    ref.length <= MAX_REF &&
    !/^[-/]|[/.]$|\.\.|\/\/|@\{|^@$|[\x00-\x20\x7f~^:?*[\\]|\.lock(?:\/|$)|(?:^|\/)\./.test(ref) &&
    ref !== '';
  return isRef ? null : 'ref must be a branch, a tag or a commit id';
}

function isSource(source: string): boolean {
  if (CONTROL.test(source) || hasParentSegment(source)) return false;
  const short = SHORT_FORM.exec(source);
  if (short) {
    const [, host = '', owner, repo] = short;
    return GIT_HOSTS.has(host) && owner !== '.' && repo !== '.' && !owner?.startsWith('-');
  }
  return URL.test(source) || SCP.test(source) || LOCAL_PATH.test(source);
}

/** Also checks the percent-decoded text, since some servers decode paths. */
function hasParentSegment(text: string): boolean {
  return text
    .replace(/%2e/gi, '.')
    .split(/[/\\:]|%2f|%5c/i)
    .includes('..');
}
