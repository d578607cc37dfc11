import { randomUUID } from 'node:crypto';
import { dirname, isAbsolute } from 'node:path/posix';
import { Injectable } from '@nestjs/common';
import { type AgentServer, AgentServerClient } from '../../../agent-server';
import { KeptCredentials } from '../../../skills';
import { shellWord } from './shell-text';

/** How a clone logs in. */
export interface CloneLogin {
  /** Options of git, with a space behind them; empty without a credential. */
  readonly options: string;
  /** The file with the credential as a word of a shell, to be removed after the clone; empty without one. */
  readonly file: string;
}

const NOBODY: CloneLogin = { options: '', file: '' };

/**
 * Has a clone in a sandbox log in with the credential that its user or the organization keeps for the repository. Git
 * reads it from a file that is there for this clone only: it is in no command line, no log and no `.git/config`.
 */
@Injectable()
export class CloneLogins {
  constructor(
    private readonly agentServers: AgentServerClient,
    private readonly credentials: KeptCredentials,
  ) {}

  /** @param folder that the repository is cloned into */
  async forClone(
    target: AgentServer,
    folder: string,
    { url, orgId, userId }: { readonly url: string; readonly orgId: string; readonly userId: string },
  ): Promise<CloneLogin> {
    const credential = await this.credentials.forUrl(url, { orgId, userId });
    if (credential === null) return NOBODY;
    const place = isAbsolute(folder) ? dirname(folder) : '/tmp';
    const path = `${place}/.login-${randomUUID()}`;
    const lines = `username=${credential.username}\npassword=${credential.password}\n`;
    await this.agentServers.workspace.upload(target, path, Buffer.from(lines));
    const file = shellWord(path);
    const helper = `!f() { test "$1" != get || cat ${file}; }; f`;
    // The first one ends the helpers of the machine; this one answers for the host of the repository only.
    const options =
      `-c credential.helper= -c ${shellWord(`credential.${new URL(url).origin}.helper=${helper}`)} ` +
      '-c http.followRedirects=false ';
    return { options, file };
  }
}
