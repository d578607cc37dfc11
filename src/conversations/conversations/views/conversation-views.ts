import { Injectable } from '@nestjs/common';
import { AgentServerClient, AgentServerRefusedError } from '../../../sandboxes/agent-server';
import {
  agentServerLlm,
  ConversationAgents,
  ModelReach,
  ProfileNotFoundError,
} from '../../../agents/agent-settings';
import type { Caller } from '../../../kernel/auth';
import { newId, AppError, appError } from '../../../kernel/common';
import { type RunningSandbox, SandboxLifecycle, WaitingCalls } from '../../../sandboxes/sandboxes';
import { ConversationAccess } from '../access/conversation-access';
import { conversationFolder, workFolder } from '../record/conversation-place';
import { running, SendTargets } from '../send-message/send-message.service';
import { UnknownToAgentServerError } from '../send-message/send-message.errors';
import { shellWord } from '../start/workspace/clone-logins';
import type { ConversationSkill, GitChange, GitDiff } from './views.dto';
import { isAbsolute, join, normalize } from 'node:path/posix';

/** 400: the path is not in the conversation's folder (docs/contract.md#views-of-a-conversation). */
export const PathOutsideWorkspaceError = appError(
  400,
  'path_outside_workspace',
  'The path is not in the folder of the conversation.',
);

/** 404: there is no such file in the conversation's folder. */
export const FileNotFoundError = appError(
  404,
  'file_not_found',
  'There is no such file in the folder of the conversation.',
);

/** 409: the agent server refuses to switch the conversation's model. */
export class ModelNotSwitchedError extends AppError {
  constructor(reason: string) {
    super(409, 'model_not_switched', `The agent server does not change the model: ${reason}`);
  }
}

/** Where clients assume a conversation's folder, whatever it really is. */
const ASSUMED_FOLDER = '/workspace/project';

/**
 * The real path of what a client names, inside the folder of a conversation.
 * @param folder the conversation's, inside the sandbox
 * @param requested relative to that folder, below it, or below {@link ASSUMED_FOLDER}, which stands for it
 * @throws PathOutsideWorkspaceError for any other
 */
export function pathInside(folder: string, requested: string): string {
  const root = normalize(folder);
  const path = normalize(requested);
  if (requested.includes('\0')) throw new PathOutsideWorkspaceError();
  if (isInside(root, path)) return path;
  if (isInside(ASSUMED_FOLDER, path)) return join(root, path.slice(ASSUMED_FOLDER.length));
  const joined = join(root, path);
  if (isAbsolute(path) || !isInside(root, joined)) throw new PathOutsideWorkspaceError();
  return joined;
}

function isInside(root: string, path: string): boolean {
  return path === root || path === `${root}/` || path.startsWith(`${root}/`);
}

const MAX_FILES = 10_000;
/** Below the output limit of an agent server's commands. */
const MAX_LIST_BYTES = 900_000;
const COMMAND_SECONDS = 20;

interface Viewed {
  readonly id: string;
  readonly orgId: string;
  readonly sandbox: RunningSandbox;
  /** The conversation's folder, inside the sandbox. */
  readonly folder: string;
  /** The folder in it that the agent works in. */
  readonly workFolder: string;
}

/** What the agent server of a running conversation knows about it (docs/contract.md#views-of-a-conversation). */
@Injectable()
export class ConversationViews {
  constructor(
    private readonly targets: SendTargets,
    private readonly access: ConversationAccess,
    private readonly agents: ConversationAgents,
    private readonly models: ModelReach,
    private readonly agentServers: AgentServerClient,
    private readonly lifecycle: SandboxLifecycle,
    private readonly waiting: WaitingCalls,
  ) {}

  /** The skills in the folder that its agent works in. All methods throw the errors of send-message. */
  skills(caller: Caller, id: string): Promise<ConversationSkill[]> {
    return this.view(caller, id, async ({ sandbox, workFolder: project }) => {
      const sources = { load_public: false, load_user: false, load_org: false, load_project: true };
      const body = { ...sources, project_dir: project };
      const { skills } = await this.agentServers.workspace.loadSkills(sandbox.agentServer, body);
      return skills.map(toSkill);
    });
  }

  /** The files below a folder, as paths relative to it; empty if the sandbox runs no commands. */
  files(caller: Caller, id: string, path: string): Promise<string[]> {
    return this.view(caller, id, async ({ sandbox, folder }) => {
      const below = pathInside(folder, path);
      if (!sandbox.runsCommands) return [];
      const command =
        `cd ${shellWord(below)} 2>/dev/null || exit 0; find . -name .git -prune -o -type f -print | ` +
        `LC_ALL=C sort | head -n ${MAX_FILES} | head -c ${MAX_LIST_BYTES}`;
      const { stdout } = await this.agentServers.workspace.executeBash(sandbox.agentServer, {
        command,
        timeoutSeconds: COMMAND_SECONDS,
      });
      return stdout.split('\n').flatMap((line) => (line.startsWith('./') ? line.slice(2) : []));
    });
  }

  /** @throws PathOutsideWorkspaceError, FileNotFoundError */
  file(caller: Caller, id: string, path: string): Promise<string> {
    return this.view(caller, id, async ({ sandbox, folder }) => {
      const text = await this.agentServers.workspace
        .download(sandbox.agentServer, pathInside(folder, path))
        .catch(nullIfRefused);
      if (text === null) throw new FileNotFoundError();
      return text;
    });
  }

  /** Empty if the folder is not a repository. @throws PathOutsideWorkspaceError */
  changes(caller: Caller, id: string, path: string): Promise<GitChange[]> {
    return this.view(caller, id, async ({ sandbox, folder }) => {
      const changes = await this.agentServers.workspace
        .gitChanges(sandbox.agentServer, pathInside(folder, path))
        .catch(nullIfRefused);
      return changes ?? [];
    });
  }

  /** @throws PathOutsideWorkspaceError, FileNotFoundError */
  diff(caller: Caller, id: string, path: string): Promise<GitDiff> {
    return this.view(caller, id, async ({ sandbox, folder }) => {
      const diff = await this.agentServers.workspace
        .gitDiff(sandbox.agentServer, pathInside(folder, path))
        .catch(nullIfRefused);
      if (diff === null) throw new FileNotFoundError();
      return { modified: diff.modified ?? null, original: diff.original ?? null };
    });
  }

  /**
   * Switches to the model of a profile.
   * @throws ProfileNotFoundError, ModelNotAllowedError, ModelNotSwitchedError
   */
  switchProfile(caller: Caller, id: string, name: string): Promise<void> {
    return this.view(caller, id, async ({ orgId, sandbox }) => {
      const person = { userId: caller.userId, orgId, byLink: sandbox.byLink };
      const llm = await this.agents.byProfile(person, name);
      if (llm === null) throw new ProfileNotFoundError();
      await this.models.check(person, llm.model);
      // Agent servers remember models by this id, and never replace one.
      const reached = this.models.ofAgent(llm, id, sandbox.builtInModel);
      const body = agentServerLlm(reached, `profile-${newId()}`);
      await this.switched(this.agentServers.switchLlm(sandbox.agentServer, id, body));
    });
  }

  /** Switches the model of an agent that runs over ACP. @throws ModelNotAllowedError, ModelNotSwitchedError */
  switchAcpModel(caller: Caller, id: string, model: string): Promise<void> {
    return this.view(caller, id, async ({ orgId, sandbox }) => {
      await this.models.check({ userId: caller.userId, orgId }, model);
      await this.switched(this.agentServers.switchAcpModel(sandbox.agentServer, id, model));
    });
  }

  private async switched(call: Promise<void>): Promise<void> {
    try {
      await call;
    } catch (error) {
      if (error instanceof AgentServerRefusedError) throw new ModelNotSwitchedError(error.reason);
      throw error;
    }
  }

  private async view<T>(caller: Caller, id: string, work: (viewed: Viewed) => Promise<T>): Promise<T> {
    const target = await this.targets.find(id);
    const conversation = await this.access.ownedRow(caller, target?.conversation);
    const sandbox = running(conversation, target?.sandbox ?? null);
    if (conversation.startState !== 'ready') throw new UnknownToAgentServerError();
    this.lifecycle.touch(sandbox.id);
    const folders = {
      folder: conversationFolder(sandbox.workingDir, id),
      workFolder: workFolder(sandbox.workingDir, conversation),
    };
    return this.waiting.run({ userId: caller.userId, conversationId: id, sandbox }, () =>
      work({ id, orgId: conversation.orgId, sandbox, ...folders }),
    );
  }
}

/** For reads of what the agent server does not have or does not support. */
function nullIfRefused(error: unknown): null {
  if (error instanceof AgentServerRefusedError) return null;
  throw error;
}

function toSkill(skill: Readonly<Record<string, unknown>> & { readonly name: string }): ConversationSkill {
  const { name, type, content, triggers } = skill;
  return {
    name,
    type: typeof type === 'string' ? type : 'knowledge',
    content: typeof content === 'string' ? content : '',
    triggers: Array.isArray(triggers) ? triggers.filter((trigger) => typeof trigger === 'string') : [],
  };
}
