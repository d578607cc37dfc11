import { Inject, Injectable } from '@nestjs/common';
import { type AgentServer, AgentServerClient, type BashResult } from '../../../agent-server';
import { SETTINGS, type Settings } from '../../../config';
import { ProviderCredentials } from '../../../git-credentials';
import { conversationFolder } from '../../record/conversation-place';
import { CLONE_SECONDS } from './clone-seconds';
import { CloneLogins } from './clone-logins';
import { FetchedWorkspace } from './fetched-workspace';
import { repositoryAddress } from './repository-address';
import { shellWord } from './shell-text';
import { StartFailedError } from '../tasks/start-failed.error';

const SETUP_SECONDS = 300;
const HOOK_SECONDS = 30;
const REASON_LENGTH = 600;

/** What a conversation works on, as asked for. */
export interface WorkspaceRequest {
  readonly conversationId: string;
  readonly repository: string | null;
  readonly branch: string | null;
  readonly provider: string | null;
}

/** The same, and for whom: their git credentials may be used. */
type OwnedRequest = WorkspaceRequest & { readonly orgId: string; readonly userId: string };

/** Who commits; null for whoever git takes. */
export interface CommitAuthor {
  readonly gitUserName: string | null;
  readonly gitUserEmail: string | null;
}

/** Prepares the folder a conversation works in, inside the sandbox through its agent server. */
@Injectable()
export class Workspace {
  constructor(
    private readonly agentServers: AgentServerClient,
    private readonly fetched: FetchedWorkspace,
    private readonly logins: CloneLogins,
    private readonly credentials: ProviderCredentials,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The folder of a conversation: of its own, with the repository inside where it has one. */
  folderOf(workingDir: string, request: WorkspaceRequest): string {
    const folder = conversationFolder(workingDir, request.conversationId);
    return request.repository === null
      ? folder
      : `${folder}/${this.addressOf(request, request.repository, null).folder}`;
  }

  /**
   * Clones the repository at the branch asked for. A clone that is there already from an earlier try stays;
   * half of one is made again.
   * @throws StartFailedError with git's reason
   */
  async clone(
    target: AgentServer,
    folder: string,
    request: OwnedRequest,
    signal: AbortSignal,
  ): Promise<void> {
    if (request.repository === null) return;
    const url = await this.urlOf(request, request.repository);
    const login = await this.logins.forClone(target, folder, { url, ...request });
    const branch = request.branch === null ? '' : `--branch=${shellWord(request.branch)} `;
    const directory = shellWord(folder);
    const result = await this.run(
      target,
      `set -e; d=${directory}; [ -e "$d/.git/ocs-cloned" ] && exit 0; p=$(dirname "$d"); mkdir -p "$p"; ` +
        // An earlier try whose caller died may still be cloning: each has a folder of its own.
        `t=$(mktemp -d "$p/.clone-XXXXXX"); trap ${shellWord(`rm -rf "$t" ${login.file}`)} EXIT; ` +
        `GIT_TERMINAL_PROMPT=0 git ${login.options}clone --quiet ${branch}-- ${shellWord(url)} "$t/r"; ` +
        `touch "$t/r/.git/ocs-cloned"; [ -e "$d/.git/ocs-cloned" ] || { rm -rf "$d"; mv "$t/r" "$d"; }`,
      CLONE_SECONDS,
      signal,
    );
    if (result.exitCode === -1)
      throw new StartFailedError(`Cloning took longer than ${CLONE_SECONDS} seconds.`);
    if (result.exitCode !== 0)
      throw new StartFailedError(`The repository could not be cloned: ${reasonOf(result)}`);
  }

  /**
   * As {@link clone}, for an agent server that runs no commands.
   * @returns one sentence per unsupported request (setup script, git hook)
   * @throws StartFailedError with the reason
   */
  async fetch(
    target: AgentServer,
    folder: string,
    request: OwnedRequest,
    signal: AbortSignal,
  ): Promise<string[]> {
    const { repository, branch: ref, orgId, userId } = request;
    if (repository === null) return [];
    const url = await this.urlOf(request, repository);
    return this.fetched.fetch(target, folder, { url, ref, orgId, userId }, signal);
  }

  /**
   * Runs the repository's `.openhands/setup.sh`.
   * @returns what went wrong, or null when it went well or there is none
   */
  async runSetupScript(target: AgentServer, folder: string, signal: AbortSignal): Promise<string | null> {
    const result = await this.run(
      target,
      `cd ${shellWord(folder)} && { [ ! -f .openhands/setup.sh ] || bash .openhands/setup.sh; }`,
      SETUP_SECONDS,
      signal,
    );
    return result.exitCode === 0 ? null : `The setup script failed: ${reasonOf(result)}`;
  }

  /**
   * Makes somebody the author of the commits in a clone.
   * @returns what went wrong, or null
   */
  async setAuthor(
    target: AgentServer,
    folder: string,
    { gitUserName, gitUserEmail }: CommitAuthor,
    signal: AbortSignal,
  ): Promise<string | null> {
    const values = [
      ['user.name', gitUserName],
      ['user.email', gitUserEmail],
    ] as const;
    const commands = values.flatMap(([name, value]) =>
      value === null ? [] : `git -C ${shellWord(folder)} config ${name} ${shellWord(value)}`,
    );
    if (commands.length === 0) return null;
    const result = await this.run(target, commands.join(' && '), HOOK_SECONDS, signal);
    return result.exitCode === 0 ? null : `The author of commits could not be set: ${reasonOf(result)}`;
  }

  /** Makes the repository's `.openhands/pre-commit.sh` its git hook. @returns what went wrong, or null */
  async installGitHook(target: AgentServer, folder: string, signal: AbortSignal): Promise<string | null> {
    const result = await this.run(
      target,
      `cd ${shellWord(folder)} && { [ ! -f .openhands/pre-commit.sh ] || ` +
        `install -m 755 .openhands/pre-commit.sh .git/hooks/pre-commit; }`,
      HOOK_SECONDS,
      signal,
    );
    return result.exitCode === 0 ? null : `The git hook could not be installed: ${reasonOf(result)}`;
  }

  /** At the host that the provider has for this user, where one is named. */
  private async urlOf(request: OwnedRequest, repository: string): Promise<string> {
    const { provider } = request;
    const origin = provider === null ? null : await this.credentials.originOf(request, provider);
    return this.addressOf(request, repository, origin).url;
  }

  private addressOf(
    { provider }: WorkspaceRequest,
    repository: string,
    origin: string | null,
  ): ReturnType<typeof repositoryAddress> {
    return repositoryAddress(repository, { provider, origin }, this.settings.GIT_ALLOWED_HOSTS);
  }

  private run(
    target: AgentServer,
    command: string,
    timeoutSeconds: number,
    signal: AbortSignal,
  ): Promise<BashResult> {
    return this.agentServers.workspace.executeBash(target, { command, timeoutSeconds }, signal);
  }
}

function reasonOf({ stderr, stdout, exitCode }: BashResult): string {
  const text = (stderr.trim() || stdout.trim() || `exit code ${exitCode}`).replace(/\s+/g, ' ');
  return text.length > REASON_LENGTH ? `…${text.slice(-REASON_LENGTH)}` : text;
}
