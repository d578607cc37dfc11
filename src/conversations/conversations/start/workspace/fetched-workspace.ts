import { Injectable } from '@nestjs/common';
import { dirname } from 'node:path/posix';
import { type AgentServer, AgentServerClient } from '../../../../sandboxes/agent-server';
import { RegistrationProblem, RepositoryFiles, type WantedRepository } from '../../../../agents/skills';
import { CLONE_SECONDS } from './clone-tickets';
import { StartFailedError } from '../tasks/start-failed.error';

const SETUP_SCRIPT = '.openhands/setup.sh';
const GIT_HOOK = '.openhands/pre-commit.sh';

/** Marks a complete checkout; outside the folder, so that it is not among its files. */
const MARK = '.fetched';

/**
 * Prepares the folder of a conversation whose agent server runs no commands (docs/sandboxes.md#isolation): the service
 * fetches the repository itself and hands its files over.
 */
@Injectable()
export class FetchedWorkspace {
  constructor(
    private readonly agentServers: AgentServerClient,
    private readonly files: RepositoryFiles,
  ) {}

  /**
   * Puts the files of a repository's newest commit into a folder; what an earlier try put there whole stays.
   * @returns one sentence per unsupported request (setup script, git hook)
   * @throws StartFailedError with the reason
   */
  async fetch(
    target: AgentServer,
    folder: string,
    wanted: WantedRepository,
    signal: AbortSignal,
  ): Promise<string[]> {
    const { workspace } = this.agentServers;
    const mark = `${dirname(folder)}/${MARK}`;
    const known = await workspace.download(target, mark, { signal });
    if (known !== null) return known.split('\n').filter((note) => note !== '');
    const asked = new Set<string>();
    const left = await this.within(signal, (inTime) =>
      this.files.forEach(wanted, inTime, async ({ path, bytes }) => {
        asked.add(path);
        await workspace.upload(target, `${folder}/${path}`, bytes, { signal: inTime });
      }),
    );
    const notes = [...refusals(asked), ...left.map((path) => `${path} was left out: it is too large.`)];
    await workspace.upload(target, mark, Buffer.from(notes.join('\n')), { signal });
    return notes;
  }

  private async within<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = AbortSignal.timeout(CLONE_SECONDS * 1000);
    try {
      return await work(AbortSignal.any([signal, limit]));
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted) throw new StartFailedError(`Cloning took longer than ${CLONE_SECONDS} seconds.`);
      if (!(error instanceof RegistrationProblem)) throw error;
      throw new StartFailedError(`The repository could not be cloned: ${error.message}.`);
    }
  }
}

function refusals(paths: ReadonlySet<string>): string[] {
  return [
    ...(paths.has(SETUP_SCRIPT) ? ['The setup script was not run: this sandbox runs no commands.'] : []),
    ...(paths.has(GIT_HOOK) ? ['The git hook was not installed: this sandbox runs no commands.'] : []),
  ];
}
