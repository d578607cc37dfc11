import { Injectable } from '@nestjs/common';
import { AgentServerClient, AgentServerRefusedError } from '../../agent-server';
import { ConversationAgents, ProfileNotFoundError } from '../../agent-settings';
import type { Caller } from '../../auth';
import { newId } from '../../common';
import { SandboxLifecycle, WaitingCalls } from '../../sandboxes';
import { ConversationAccess } from '../access/conversation-access';
import { conversationFolder } from '../record/conversation-place';
import { type RunningSandbox, running } from '../send-message/running-sandbox';
import { UnknownToAgentServerError } from '../send-message/send-message.errors';
import { SendTargets } from '../send-message/send-targets';
import { shellWord } from '../start/workspace/shell-text';
import { FileNotFoundError, ModelNotSwitchedError } from './views.errors';
import type { ConversationSkill, GitChange, GitDiff } from './views.dto';
import { pathInside } from './workspace-paths';

const MOST_FILES = 10_000;
/** Below what the agent server keeps of a command's output. */
const MOST_LIST_BYTES = 900_000;
const COMMAND_SECONDS = 20;

interface Viewed {
  readonly id: string;
  readonly orgId: string;
  readonly sandbox: RunningSandbox;
  /** Of the conversation, inside the sandbox. */
  readonly folder: string;
}

/** What the agent server of a running conversation says of it (docs/contract.md#views-of-a-conversation). */
@Injectable()
export class ConversationViews {
  constructor(
    private readonly targets: SendTargets,
    private readonly access: ConversationAccess,
    private readonly agents: ConversationAgents,
    private readonly agentServers: AgentServerClient,
    private readonly lifecycle: SandboxLifecycle,
    private readonly waiting: WaitingCalls,
  ) {}

  /** The skills of its folder. Errors of all methods are those of send-message. */
  skills(caller: Caller, id: string): Promise<ConversationSkill[]> {
    return this.view(caller, id, async ({ sandbox, folder }) => {
      const sources = { load_public: false, load_user: false, load_org: false, load_project: true };
      const body = { ...sources, project_dir: folder };
      const { skills } = await this.agentServers.workspace.loadSkills(sandbox.agentServer, body);
      return skills.map(toSkill);
    });
  }

  /** The files below a folder, as paths relative to it; none where the sandbox runs no commands. */
  files(caller: Caller, id: string, path: string): Promise<string[]> {
    return this.view(caller, id, async ({ sandbox, folder }) => {
      const below = pathInside(folder, path);
      if (!sandbox.runsCommands) return [];
      const command =
        `cd ${shellWord(below)} 2>/dev/null || exit 0; find . -name .git -prune -o -type f -print | ` +
        `LC_ALL=C sort | head -n ${MOST_FILES} | head -c ${MOST_LIST_BYTES}`;
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

  /** None where the folder is no repository. @throws PathOutsideWorkspaceError */
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
   * Has it go on with the model of a profile.
   * @throws ProfileNotFoundError, ModelNotSwitchedError
   */
  switchProfile(caller: Caller, id: string, name: string): Promise<void> {
    return this.view(caller, id, async ({ orgId, sandbox }) => {
      const llm = await this.agents.byProfile({ userId: caller.userId, orgId }, name);
      if (llm === null) throw new ProfileNotFoundError();
      // Agent servers keep models by this id, and take no other one under the same.
      const body = {
        model: llm.model,
        usage_id: `profile-${newId()}`,
        ...(llm.baseUrl !== null && { base_url: llm.baseUrl }),
        ...(llm.apiKey !== null && { api_key: llm.apiKey }),
      };
      await this.switched(this.agentServers.switchLlm(sandbox.agentServer, id, body));
    });
  }

  /** Has an agent of another protocol go on with a model of its own. @throws ModelNotSwitchedError */
  switchAcpModel(caller: Caller, id: string, model: string): Promise<void> {
    return this.view(caller, id, ({ sandbox }) =>
      this.switched(this.agentServers.switchAcpModel(sandbox.agentServer, id, model)),
    );
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
    const folder = conversationFolder(sandbox.workingDir, id);
    return this.waiting.run(sandbox.id, id, () => work({ id, orgId: conversation.orgId, sandbox, folder }));
  }
}

/** What an agent server does not have or does not know is not there. */
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
