import { messageOf, StartError } from '../common';
import { setLogSender } from './log-records';
import { signalsOf } from './signals';
import type { TelemetryLog } from './telemetry-log';
import { setTracing } from './tracing';

/** Telemetry that is being sent, or none. */
export interface Telemetry {
  /** Sends pending data for at most a second, then nothing more. Never rejects. */
  stop(): Promise<void>;
}

/** Of the five seconds that a stop may take. */
const FLUSH_MS = 1_000;

const NOTHING: Telemetry = { stop: () => Promise.resolve() };

/**
 * Sends traces, metrics and the rows of the audit log to a collector, if the standard variables of OpenTelemetry ask for it; otherwise nothing of
 * OpenTelemetry is loaded. To be called before connections to the database are made.
 * @param env the variables that OpenTelemetry's packages read of this process
 * @throws StartError when they are not installed
 */
export async function startTelemetry(env: NodeJS.ProcessEnv, log: TelemetryLog): Promise<Telemetry> {
  const signals = signalsOf(env, (sentence) => log.warn(sentence));
  if (!Object.values(signals).some(Boolean)) return NOTHING;
  const { openTelemetry } = await load();
  const { shutdown, sendLog } = openTelemetry(signals, log);
  setLogSender(sendLog);
  setTracing(signals.traces);
  return {
    stop: async () => {
      const flushed = shutdown().catch(() => undefined);
      await Promise.race([flushed, pause(FLUSH_MS)]);
      setTracing(false);
      setLogSender(undefined);
    },
  };
}

async function load(): Promise<typeof import('./opentelemetry/open-telemetry.ts')> {
  try {
    return await import('./opentelemetry/open-telemetry.ts');
  } catch (cause) {
    throw new StartError(
      `Telemetry cannot be sent: ${messageOf(cause).split('\n', 1)[0]}. Install the optional packages, or set OTEL_SDK_DISABLED=true.`,
      { cause },
    );
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
