import { DoorService } from '../../support/sandbox-access/door-service';
import { call } from '../../support/service/http';
import { ScrapedMetrics } from '../../support/telemetry/scraped-metrics';

const ORIGIN = 'https://app.example.com';
const REQUESTS = 'http_request_duration_seconds_count';

describe('an agent server that answers statuses without a name', () => {
  let service: DoorService;
  beforeAll(async () => {
    service = await DoorService.start({ CORS_ORIGINS: ORIGIN });
  });
  afterAll(() => service.close());

  it.each([
    ['in ordinary requests', 'GET', {}],
    ['in requests of pages of a listed origin', 'PUT', { origin: ORIGIN }],
  ])('does not add a series of metrics for each, %s', async (_, method, headers) => {
    const { door } = await service.sandbox();
    const { key } = service.owner;
    for (const status of [201, 299, 520, 599, 600, 601, 998, 999]) {
      service.far.answer = (_request, response) => void response.writeHead(status).end();
      const answer = await call(service.app, method, `${door}/x`, { key, headers });
      expect(answer.status).toBe(status);
    }
    const metrics = await ScrapedMetrics.of(service.app);
    const counts = metrics
      .seriesOf(REQUESTS)
      .filter((series) => series.includes(`method="${method}"`) && series.includes('agent-server'))
      .map((series) => [/status="(.*?)"/.exec(series)?.[1], metrics.value(series)]);
    expect(Object.fromEntries(counts)).toEqual({ '201': 1, '2xx': 1, '5xx': 2, '6xx': 2, '9xx': 2 });
  });
});
