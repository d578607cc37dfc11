/** The signals that are sent to a collector. */
export interface Signals {
  readonly traces: boolean;
  readonly metrics: boolean;
  /** The rows of the audit log. */
  readonly logs: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The only protocol of which the exporter is there; also OpenTelemetry's default. */
const PROTOCOL = 'http/protobuf';

/**
 * What the standard variables of OpenTelemetry ask for (docs/observability.md#traces).
 * @param warn called with what they ask for in vain
 */
export function signalsOf(env: Environment, warn: (sentence: string) => void): Signals {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true')
    return { traces: false, metrics: false, logs: false };
  return {
    traces: isOn('TRACES', env, warn),
    metrics: isOn('METRICS', env, warn),
    logs: asksForLogs(env) && isOn('LOGS', env, warn),
  };
}

/**
 * Rows of the audit log say who did what from which address: an address that traces and metrics go to is not asking for them.
 */
function asksForLogs(env: Environment): boolean {
  return ['OTEL_LOGS_EXPORTER', 'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT'].some((name) => valueOf(env, name) !== '');
}

function isOn(
  signal: 'TRACES' | 'METRICS' | 'LOGS',
  env: Environment,
  warn: (sentence: string) => void,
): boolean {
  const variable = `OTEL_${signal}_EXPORTER`;
  const exporter = valueOf(env, variable);
  const endpoints = [`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, 'OTEL_EXPORTER_OTLP_ENDPOINT'];
  const hasEndpoint = endpoints.some((name) => valueOf(env, name) !== '');
  if (exporter === 'none' || (exporter === '' && !hasEndpoint)) return false;
  if (exporter !== 'otlp' && exporter !== '') {
    warn(`${variable} is ${exporter}, which this service does not have: set it to otlp or none.`);
    return false;
  }
  const protocols = [`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`, 'OTEL_EXPORTER_OTLP_PROTOCOL'];
  const said = protocols.find((name) => valueOf(env, name) !== '');
  const protocol = said === undefined ? PROTOCOL : valueOf(env, said);
  if (protocol === PROTOCOL) return true;
  warn(`${said} is ${protocol}, which this service does not speak: set it to ${PROTOCOL}.`);
  return false;
}

/** An empty variable counts as one that is not set. */
function valueOf(env: Environment, name: string): string {
  return env[name]?.trim() ?? '';
}
