/** What is sent to a collector. */
export interface Signals {
  readonly traces: boolean;
  readonly metrics: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The only protocol of which the exporter is there; also OpenTelemetry's default. */
const PROTOCOL = 'http/protobuf';

/**
 * What the standard variables of OpenTelemetry ask for (docs/observability.md#traces).
 * @param warn is told what they ask for in vain
 */
export function signalsOf(env: Environment, warn: (sentence: string) => void): Signals {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return { traces: false, metrics: false };
  return { traces: isOn('TRACES', env, warn), metrics: isOn('METRICS', env, warn) };
}

function isOn(signal: 'TRACES' | 'METRICS', env: Environment, warn: (sentence: string) => void): boolean {
  const variable = `OTEL_${signal}_EXPORTER`;
  const exporter = env[variable]?.trim() ?? '';
  const hasEndpoint = [`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, 'OTEL_EXPORTER_OTLP_ENDPOINT'].some(
    (name) => (env[name]?.trim() ?? '') !== '',
  );
  if (exporter === 'none' || (exporter === '' && !hasEndpoint)) return false;
  if (exporter !== 'otlp' && exporter !== '') {
    warn(`${variable} is ${exporter}, which this service does not have: set it to otlp or none.`);
    return false;
  }
  const protocol =
    env[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? PROTOCOL;
  if (protocol.trim() === PROTOCOL) return true;
  warn(
    `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, which this service does not speak: set it to ${PROTOCOL}.`,
  );
  return false;
}
