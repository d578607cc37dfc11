import { signalsOf } from './signals';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
const GENERAL = 'OTEL_EXPORTER_OTLP_PROTOCOL';
const OF_TRACES = 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL';

/** What is sent, and the warnings. */
function asked(env: Readonly<Record<string, string>>) {
  const warnings: string[] = [];
  const signals = signalsOf({ ...ENDPOINT, ...env }, (sentence) => warnings.push(sentence));
  return { ...signals, warnings };
}

describe('the variables of OpenTelemetry', () => {
  it.each([
    {},
    { [GENERAL]: '' },
    { [GENERAL]: 'http/protobuf' },
    { [OF_TRACES]: ' ', [GENERAL]: 'http/protobuf' },
    { [OF_TRACES]: 'http/protobuf', OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/protobuf', [GENERAL]: 'grpc' },
  ])('send both signals over the protocol that there is: %j', (env) => {
    expect(asked(env)).toEqual({ traces: true, metrics: true, logs: false, warnings: [] });
  });

  it('send nothing over another protocol, and name the variable that asks for it', () => {
    const says = (name: string) =>
      `${name} is grpc, which this service does not speak: set it to http/protobuf.`;
    expect(asked({ [GENERAL]: 'grpc' })).toEqual({
      traces: false,
      metrics: false,
      logs: false,
      warnings: [says(GENERAL), says(GENERAL)],
    });
    expect(asked({ [OF_TRACES]: 'grpc' })).toEqual({
      traces: false,
      metrics: true,
      logs: false,
      warnings: [says(OF_TRACES)],
    });
  });

  it.each([
    [{}, false],
    [
      { OTEL_LOGS_EXPORTER: 'none', OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://127.0.0.1:4318/v1/logs' },
      false,
    ],
    [{ OTEL_LOGS_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' }, false],
    [{ OTEL_LOGS_EXPORTER: 'otlp' }, true],
    [{ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://127.0.0.1:4318/v1/logs' }, true],
  ])('send logs only where they name them: %j', (env, logs) => {
    expect(asked(env)).toMatchObject({ logs, warnings: [] });
  });

  it('send no logs to what is not there, or over another protocol', () => {
    expect(asked({ OTEL_LOGS_EXPORTER: 'console' }).logs).toBe(false);
    expect(asked({ OTEL_LOGS_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: 'grpc' })).toMatchObject({
      logs: false,
      warnings: [
        'OTEL_EXPORTER_OTLP_LOGS_PROTOCOL is grpc, which this service does not speak: set it to http/protobuf.',
      ],
    });
  });
});
