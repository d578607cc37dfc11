import { randomUUID } from 'node:crypto';
import { ConversationService } from '../support/conversation-service';

describe('POST /api/v1/app-conversations', () => {
  let service: ConversationService;

  beforeAll(async () => {
    service = await ConversationService.start({ MAX_SANDBOXES_PER_ORG: '1' });
  });

  afterAll(() => service.close());

  it('tells an id that is in use before the cap on sandboxes', async () => {
    const conversation_id = randomUUID();
    await service.begin({ conversation_id });
    const again = await service.call('POST', '/api/v1/app-conversations', { body: { conversation_id } });
    expect(again).toMatchObject({ status: 409, body: { code: 'conversation_id_in_use' } });
    const other = await service.call('POST', '/api/v1/app-conversations', { body: {} });
    expect(other).toMatchObject({ status: 429, body: { code: 'concurrency_limit_reached' } });
    expect(other.headers.get('Retry-After')).toMatch(/^\d+$/);
  });
});
