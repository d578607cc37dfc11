import { Injectable } from '@nestjs/common';
import { type AgentServer, AgentServerClient, type BashResult } from '../../../../sandboxes/agent-server';
import type { Person } from '../../../../kernel/common';
import {
  GitAddressProblem,
  ProviderCredentials,
  repositoryAddress,
} from '../../../../agents/git-credentials';
import { Destinations } from '../../../../agents/skills';
import type { FencedStartTask } from '../../start-tasks/start-task.repository';
import { workFolder } from '../../record/conversation-place';
import { CLONE_SECONDS } from './clone-tickets';
import { CloneLogins, shellWord } from './clone-logins';
import { FetchedWorkspace } from './fetched-workspace';
import { StartFailedError } from '../tasks/start-failed.error';

const SETUP_SECONDS = 300;
const HOOK_SECONDS = 30;
/** Marks a complete clone. */
const CLONED = '.git/ocs-cloned';
const REASON_LENGTH = 600;
/** What git prints when its connection breaks during a fetch. */
const BROKEN_OFF = /RPC failed|early EOF|unexpected disconnect|Empty reply|Recv failure|returned error: 503/i;

/** The repository and branch that a request asks for. */
export interface WorkspaceRequest {
  readonly conversationId: string;
  readonly repository: string | null;
  readonly branch: string | null;
  readonly provider: string | null;
}

/** The same, for whom, since their git credentials may be used, and by which run of a start. */
type OwnedRequest = WorkspaceRequest & Person & { readonly fenced: FencedStartTask };

/** The author of commits; null for the default of git. */
interface CommitAuthor {
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
    private readonly destinations: Destinations,
  ) {}

  /** The folder of a conversation: of its own, with the repository inside where it has one. */
  folderOf(workingDir: string, request: WorkspaceRequest): string {
    const { conversationId: id, repository: selectedRepository } = request;
    return workFolder(workingDir, { id, selectedRepository, startedRepository: null });
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
    const mark = shellWord(`${folder}/${CLONED}`);
    const there = await this.run(target, `[ -e ${mark} ]`, HOOK_SECONDS, signal);
    if (there.exitCode === 0) return;
    const result = await this.clonedFrom(target, folder, { ...request, url }, signal);
    if (result.exitCode === -1)
      throw new StartFailedError(`Cloning took longer than ${CLONE_SECONDS} seconds.`);
    if (result.exitCode !== 0)
      throw new StartFailedError(`The repository could not be cloned: ${reasonOf(result)}`);
  }

  private async clonedFrom(
    target: AgentServer,
    folder: string,
    clone: OwnedRequest & { readonly url: string },
    signal: AbortSignal,
    triesLeft = 1,
  ): Promise<BashResult> {
    const login = await this.logins.forClone(target, folder, clone, signal);
    const branch = clone.branch === null ? '' : `--branch=${shellWord(clone.branch)} `;
    const directory = shellWord(folder);
    const result = await this.run(
      target,
      `set -e; d=${directory}; [ -e "$d/${CLONED}" ] && exit 0; p=$(dirname "$d"); mkdir -p "$p"; ` +
        // An earlier attempt whose caller crashed may still be cloning, so each attempt uses a folder of its own.
        `t=$(mktemp -d "$p/.clone-XXXXXX"); trap ${shellWord(`rm -rf "$t" ${login?.file ?? ''}`)} EXIT; ` +
        `export GIT_TERMINAL_PROMPT=0; ${login?.git ?? 'git'} clone --quiet ${branch}-- ${shellWord(clone.url)} "$t/r"; ` +
        `touch "$t/r/${CLONED}"; [ -e "$d/${CLONED}" ] || { rm -rf "$d"; mv "$t/r" "$d"; }`,
      CLONE_SECONDS,
      signal,
    );
    if (login === null) return result;
    // The replica that the clone went through may have stopped.
    if (result.exitCode > 0 && triesLeft > 0 && BROKEN_OFF.test(result.stderr))
      return this.clonedFrom(target, folder, clone, signal, triesLeft - 1);
    return { ...result, stderr: result.stderr.replaceAll(login.alias, clone.url) };
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
    const { repository, branch: ref, orgId, userId, byLink } = request;
    if (repository === null) return [];
    const url = await this.urlOf(request, repository);
    return this.fetched.fetch(target, folder, { url, ref, orgId, userId, byLink }, signal);
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
   * Sets the author of the commits in a clone.
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
    const place = await this.credentials.placeOf(request, request.provider);
    try {
      return repositoryAddress(repository, place, this.destinations);
    } catch (error) {
      if (!(error instanceof GitAddressProblem)) throw error;
      throw new StartFailedError(`The repository’s address cannot be used: ${error.message}.`);
    }
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
