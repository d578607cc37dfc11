import { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import { startBrowser } from '../../support/browser/chromium';
import { ConversationService } from '../../support/service/conversation-service';
import { describeWithInterface, REAL_INTERFACE } from '../../support/web-interface/real-interface';
import { signIn, WatchedPage } from '../../support/web-interface/watched-page';

const HOST = 'agents.test';
// In which a browser does what takes it six seconds on a machine that does nothing else.
const PATIENCE_MS = 120_000;

describeWithInterface('the web interface with an external agent server, in a browser', () => {
  it('chats through the door as who is signed in, without the key of the server', async () => {
    const double = await AgentServerDouble.start();
    const service = await ConversationService.start(
      {
        SANDBOX_DRIVER: 'external',
        EXTERNAL_ORG_ID: '*',
        LLM_MODEL: 'echo',
        AGENT_SERVER_URL: double.url,
        AGENT_SERVER_API_KEY: double.target.apiKey,
      },
      PATIENCE_MS,
      { webInterface: REAL_INTERFACE },
    );
    const browser = await startBrowser([HOST]);
    try {
      const id = await service.ready();
      const origin = `http://${HOST}:${new URL(service.app.url).port}`;
      const watched = await WatchedPage.open(browser, origin, PATIENCE_MS);
      const { page } = watched;
      await page.goto(`${origin}/conversations/${id}`);
      await signIn(page, service.owner.key);
      await watched.hears();
      await page.getByTestId('chat-input').fill('Is anybody there?');
      await page.getByTestId('submit-button').click();
      await page.getByTestId('agent-message').getByText('Is anybody there?').waitFor();
      expect(await watched.takeFaults()).toEqual([]);
    } finally {
      await browser.close();
      await service.app.db.query(`UPDATE sandboxes SET status = 'MISSING', stopping = NULL`);
      await service.close();
      await double.stop();
    }
  });
});
