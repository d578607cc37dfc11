import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { awakeMs } from '../../support/awake-clock';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { ServiceProcess } from '../../support/service/service-process';
import { OtlpReceiver } from '../../support/telemetry/otlp-receiver';
import { timeBound } from '../../support/time-bound';

const SETTINGS = { SECRET_KEY: 'a-secret-key-of-tests-0123456789', BOOTSTRAP_KEY: newKey() };

/** Prints, when the process ends, what it has loaded of OpenTelemetry. */
const REPORT = join(__dirname, '..', '..', 'support', 'telemetry', 'report-modules.cjs');

describe('telemetry of a process', () => {
  let collector: OtlpReceiver;
  let database: TestDatabase;
  let services: ServiceProcess[];

  beforeEach(async () => {
    services = [];
    collector = await OtlpReceiver.start();
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.discard()));
    await collector.stop();
    await database.drop();
  });

  function start(env: Readonly<Record<string, string>>): ServiceProcess {
    const service = ServiceProcess.start({
      ...SETTINGS,
      DATABASE_URL: database.url,
      NODE_OPTIONS: `--require ${REPORT}`,
      ...env,
    });
    services.push(service);
    return service;
  }

  /** Makes a request. @param traceId of its trace; without, it begins one */
  const ask = (url: string, traceId?: string): Promise<Response> =>
    fetch(`${url}/api/v1/users/me`, {
      headers: {
        'x-access-token': SETTINGS.BOOTSTRAP_KEY,
        ...(traceId !== undefined && { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` }),
      },
    });

  it.each([
    ['nothing asks for it', {}],
    ['it is disabled', { OTEL_SDK_DISABLED: 'true', OTEL_TRACES_EXPORTER: 'otlp' }],
    ['there are no exporters', { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
  ])('loads nothing of OpenTelemetry when %s', async (_, env) => {
    const service = start({ OTEL_EXPORTER_OTLP_ENDPOINT: '', ...env });
    expect((await ask(await service.ready)).status).toBe(200);
    await service.stop();
    expect(service.errors).toContain('Loaded of OpenTelemetry: 0');
  });

  it('sends what is left when it stops, and logs the ids of spans', async () => {
    const service = start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '600000',
      OTEL_METRIC_EXPORT_INTERVAL: '600000',
      OTEL_SERVICE_NAME: 'mine',
    });
    await ask(await service.ready);
    expect(collector.spans).toEqual([]);
    expect(await service.stop()).toBe(0);
    const span = await collector.span(({ name }) => name === 'GET /api/v1/users/me');
    expect(span.resource).toMatchObject({ 'service.name': 'mine' });
    const line = service.output.split('\n').find((text) => text.includes('"path":"/api/v1/users/me"'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ trace_id: span.traceId, span_id: span.spanId });
    expect(collector.metrics.get('jobs_running')).toHaveLength(1);
    expect(collector.metrics.has('http_request_duration_seconds')).toBe(true);
  });

  it('sends the metrics of GET /metrics, with the same values', async () => {
    const service = start({
      OTEL_METRICS_EXPORTER: 'otlp',
      OTEL_METRIC_EXPORT_INTERVAL: '200',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/v1/metrics`,
    });
    await ask(await service.ready);
    await eventually(() =>
      expect(collector.metrics.get('database_pool_max')?.toSorted()).toEqual([10, 5, 5].toSorted()),
    );
    expect(collector.spans).toEqual([]);
  });

  it.each(['refuses connections', 'never answers'])(
    'answers, stops and says it once while the collector %s',
    async (how) => {
      const url = collector.url;
      if (how === 'never answers') collector.react = () => undefined;
      else await collector.stop();
      const service = start({
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_METRICS_EXPORTER: 'none',
        OTEL_BSP_SCHEDULE_DELAY: '50',
        ...{
          OTEL_EXPORTER_OTLP_TIMEOUT: '300',
          OTEL_BSP_MAX_QUEUE_SIZE: '20',
          OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
        },
      });
      const address = await service.ready;
      await eventually(async () => {
        expect((await ask(address)).status).toBe(200);
        expect(service.output).toContain('Traces cannot be sent');
      });
      for (let n = 0; n < 50; n++) expect((await ask(address)).status).toBe(200);
      const beganAt = awakeMs();
      expect(await service.stop()).toBe(0);
      expect(awakeMs() - beganAt).toBeLessThan(timeBound(5_000));
      expect(service.output.split('Traces cannot be sent')).toHaveLength(2);
      if (how === 'refuses connections') collector = await OtlpReceiver.start();
    },
  );

  it('keeps no more spans than the queue has room for while the collector hangs, and answers all requests', async () => {
    const waiting: ServerResponse[] = [];
    collector.react = (response) => waiting.push(response);
    const service = start({
      ...{
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_METRICS_EXPORTER: 'none',
        OTEL_BSP_SCHEDULE_DELAY: '50',
      },
      ...{
        OTEL_BSP_MAX_QUEUE_SIZE: '20',
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
        OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
      },
    });
    const address = await service.ready;
    await eventually(async () => {
      await ask(address);
      expect(waiting).not.toEqual([]);
    });
    const hung = randomBytes(16).toString('hex');
    for (let n = 0; n < 50; n++) expect((await ask(address, hung)).status).toBe(200);

    collector.react = undefined;
    for (const response of waiting) response.writeHead(200).end();
    const later = randomBytes(16).toString('hex');
    await eventually(async () => {
      await ask(address, later);
      expect(collector.spans.some(({ traceId }) => traceId === later)).toBe(true);
    });
    expect(collector.spans.filter(({ traceId }) => traceId === hung).length).toBeLessThanOrEqual(20);
  });

  it('refuses to start where its packages are asked for and not installed', async () => {
    const hook = join(__dirname, '..', '..', 'support', 'service', 'without-driver-libraries.cjs');
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, NODE_OPTIONS: `--require ${hook}` };
    await expect(start(env).ready).rejects.toThrow(
      /^Telemetry cannot be sent: Cannot find module '@opentelemetry\/sdk-trace-node'\. Install the optional packages, or set OTEL_SDK_DISABLED=true\.$/m,
    );
  });

  it('starts without it, and says so, when something is asked for that there is not', async () => {
    const service = start({ OTEL_TRACES_EXPORTER: 'zipkin' });
    await service.ready;
    expect(service.output).toContain('OTEL_TRACES_EXPORTER is zipkin, which this service does not have');
    await service.stop();
    expect(service.errors).toContain('Loaded of OpenTelemetry: 0');
  });
});
