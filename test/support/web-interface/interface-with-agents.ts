import type { Browser } from 'playwright-core';
import { ensureAgentServer } from '../../../scripts/agent-server-environment';
import { ISOLATED } from '../agent-server/sandbox-isolation';
import { startBrowser } from '../browser/chromium';
import { ScriptedModel } from '../model/scripted-model';
import { ConversationService } from '../service/conversation-service';
import { REAL_INTERFACE } from './real-interface';
import { signIn, WatchedPage } from './watched-page';

const HOST = 'agents.test';

/** How long anything may take. */
export const PATIENCE_MS = 90_000;

/** The real web interface in a browser, and a service that runs real agent servers with a scripted model. */
export class InterfaceWithAgents {
  private constructor(
    readonly model: ScriptedModel,
    readonly service: ConversationService,
    private readonly browser: Browser,
    /** Where browsers reach the service. */
    readonly origin: string,
  ) {}

  /** @param env settings besides those of the agent server and the model */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<InterfaceWithAgents> {
    const { command } = await ensureAgentServer();
    const model = await ScriptedModel.start();
    const service = await ConversationService.start(
      {
        SANDBOX_DRIVER: 'process',
        AGENT_SERVER_COMMAND: command,
        ...ISOLATED,
        LLM_MODEL: 'openai/scripted',
        LLM_BASE_URL: model.baseUrl,
        LLM_API_KEY: 'scripted-model-key',
        ...env,
      },
      PATIENCE_MS,
      { webInterface: REAL_INTERFACE },
    );
    const origin = `http://${HOST}:${new URL(service.app.url).port}`;
    return new InterfaceWithAgents(model, service, await startBrowser([HOST]), origin);
  }

  /** A page in a browser of its own, in which nobody has signed in; it is not opened yet. */
  newPage(): Promise<WatchedPage> {
    return WatchedPage.open(this.browser, this.origin, PATIENCE_MS);
  }

  /** A page in a browser of its own, in which somebody has signed in; by default the owner. */
  async open(path: string, key = this.service.owner.key): Promise<WatchedPage> {
    const watched = await this.newPage();
    await watched.page.goto(this.origin + path);
    await signIn(watched.page, key);
    await watched.page.getByTestId('root-layout').waitFor();
    return watched;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.close();
    await this.model.stop();
  }
}
