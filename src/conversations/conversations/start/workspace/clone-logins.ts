import { randomUUID } from 'node:crypto';
import { dirname, isAbsolute } from 'node:path/posix';
import { Inject, Injectable } from '@nestjs/common';
import { type AgentServer, AgentServerClient } from '../../../../sandboxes/agent-server';
import type { Person } from '../../../../kernel/common';
import { callbackUrl, SETTINGS, type Settings } from '../../../../kernel/config';
import { GitUpstream, KeptCredentials, RegistrationProblem } from '../../../../agents/skills';
import type { FencedStartTask } from '../../start-tasks/start-task.repository';
import { StartFailedError } from '../tasks/start-failed.error';
import { CloneTickets } from './clone-tickets';

/** Where sandboxes fetch repositories through the service. */
export const CLONE_PATH = 'api/v1/git/clone';

const LOCATE_MS = 30_000;

/** A repository to clone, for whom, and by which run of a start. */
interface WantedClone extends Person {
  readonly url: string;
  readonly fenced: FencedStartTask;
}

/** How a clone gets at a repository. */
interface CloneLogin {
  /** Variables and options of git, as the beginning of a command. */
  readonly git: string;
  /** The file with the ticket as a word of a shell, to be removed after the clone. */
  readonly file: string;
  /** The URL of the repository in the messages of git. */
  readonly alias: string;
}

/**
 * Has a clone in a sandbox get at a repository for which its user, the organization or the installation keeps a
 * credential. The credential stays in the service: git asks there, with a ticket for this clone only, which it reads from
 * a file, so that it is in no command line, no log and no `.git/config`.
 */
@Injectable()
export class CloneLogins {
  private readonly alias: string;

  constructor(
    private readonly agentServers: AgentServerClient,
    private readonly credentials: KeptCredentials,
    private readonly upstream: GitUpstream,
    private readonly tickets: CloneTickets,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.alias = `${callbackUrl(settings)}/${CLONE_PATH}`;
  }

  /**
   * @param folder that the repository is cloned into
   * @returns null where nobody keeps a credential
   * @throws StartFailedError when the repository cannot be had with the credential
   */
  async forClone(
    target: AgentServer,
    folder: string,
    { url, fenced, ...user }: WantedClone,
    signal: AbortSignal,
  ): Promise<CloneLogin | null> {
    const credential = await this.credentials.forUrl(url, user);
    if (credential === null) return null;
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(LOCATE_MS)]);
    const located = await this.upstream.locate(url, credential, inTime).catch((error: unknown) => {
      signal.throwIfAborted();
      const reason = error instanceof RegistrationProblem ? error.message : 'the server does not answer';
      if (!(error instanceof RegistrationProblem) && !inTime.aborted) throw error;
      throw new StartFailedError(`The repository could not be cloned: ${reason}.`);
    });
    const path = `${isAbsolute(folder) ? dirname(folder) : '/tmp'}/.login-${randomUUID()}`;
    const lines = [
      // Resets the credential helpers of the machine, which are meant for other servers.
      '[credential]\nhelper =',
      `[url ${quoted(this.alias)}]\ninsteadOf = ${quoted(url)}`,
      `[http ${quoted(this.alias)}]\nfollowRedirects = false`,
      `extraHeader = ${quoted(`Authorization: Bearer ${this.tickets.issue(fenced, located, user.byLink)}`)}`,
    ];
    await this.agentServers.workspace.upload(target, path, Buffer.from(`${lines.join('\n')}\n`));
    return {
      // Git LFS may fetch from other servers, with logins of their own.
      git: `GIT_LFS_SKIP_SMUDGE=1 git -c ${shellWord(`include.path=${path}`)}`,
      file: shellWord(path),
      alias: this.alias,
    };
  }
}

/** A text as git's configuration has it. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, (sign) => `\\${sign}`)}"`;
}

/** A text as one word of a POSIX shell command, whatever it contains. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
