import { ConversationService } from '../support/service/conversation-service';
import { eventually } from '../support/eventually';
import { startTestApp, type TestApp } from '../support/service/app';
import { makeCaller, makeOrg } from '../support/service/factories';
import { call } from '../support/service/http';

const LISTED = 'https://app.example.com';
const STRANGER = 'https://evil.example.com';

const preflight = (service: { url: string }, origin: string, path = '/api/keys') =>
  fetch(service.url + path, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,x-access-token',
    },
  });
const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');

describe('a service with CORS_ORIGINS', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp({
      env: { APP_ROLE: 'api', CORS_ORIGINS: `${LISTED}, http://localhost:5173` },
    });
  });
  afterAll(() => service.close());

  it.each([LISTED, 'http://localhost:5173'])('lets pages of %s call, without cookies', async (origin) => {
    const { status, headers } = await preflight(service, origin);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-headers')).toBe('content-type,x-access-token');
    expect(headers.get('access-control-allow-methods')).toContain('DELETE');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('vary')).toContain('Origin');
  });

  it.each([STRANGER, 'null', 'https://app.example.com.evil.example', 'http://app.example.com'])(
    'lets no page of %s call',
    async (origin) => {
      expect(allowed(await preflight(service, origin))).toBeNull();
      const response = await call(service, 'GET', '/alive', { headers: { Origin: origin } });
      expect(response.headers['access-control-allow-origin']).toBeUndefined();
      expect(response.headers.vary).toContain('Origin');
    },
  );

  it('shows pages its headers, on refusals too', async () => {
    const { key } = await makeCaller(service.db, (await makeOrg(service.db)).id);
    const headers = { Origin: LISTED };
    for (const options of [{ headers, key }, { headers }]) {
      const response = await call(service, 'GET', '/api/keys', options);
      expect(response.headers['access-control-allow-origin']).toBe(LISTED);
      const exposed = String(response.headers['access-control-expose-headers']).split(',');
      expect(exposed).toEqual(
        expect.arrayContaining(['X-Request-Id', 'Retry-After', 'RateLimit-Limit', 'Idempotency-Replayed']),
      );
    }
  });
});

describe('a service without CORS_ORIGINS', () => {
  it('answers a preflight as before: no such method', async () => {
    const service = await startTestApp({ env: { APP_ROLE: 'api' } });
    const response = await preflight(service, LISTED);
    expect([response.status, allowed(response)]).toEqual([405, null]);
    await service.close();
  });
});

describe('a sandbox of a service with CORS_ORIGINS', () => {
  it('may be called by pages of these origins and of the service, and by no others', async () => {
    const service = await ConversationService.start({
      CORS_ORIGINS: LISTED,
      PUBLIC_URL: 'https://agents.example.com',
    });
    try {
      const created = await service.call<{ id: string }>('POST', '/api/v1/sandboxes');
      const url = await eventually(async () => {
        const path = `/api/v1/sandboxes?id=${created.body.id}`;
        const [sandbox] = (await service.call<{ exposed_urls: { url: string }[] | null }[]>('GET', path))
          .body;
        const [exposed] = sandbox?.exposed_urls ?? [];
        if (exposed === undefined) throw new Error('The sandbox is not running.');
        return exposed.url;
      });
      const origins = [LISTED, 'https://agents.example.com', STRANGER];
      const responses = await Promise.all(
        origins.map((origin) => preflight({ url }, origin, '/api/file/home')),
      );
      expect(responses.map(allowed)).toEqual([LISTED, 'https://agents.example.com', null]);

      const throughDoor = `/api/v1/sandboxes/${created.body.id}/agent-server/server_info`;
      expect(allowed(await preflight(service.app, LISTED, throughDoor))).toBe(LISTED);
      const response = await service.call('GET', throughDoor, { headers: { Origin: LISTED } });
      expect([response.status, response.headers['access-control-allow-origin']]).toEqual([200, LISTED]);
      expect(response.body).toHaveProperty('version');
    } finally {
      await service.close();
    }
  });
});
