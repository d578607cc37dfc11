import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { TelemetryLog } from '../telemetry-log';

/** An exporter of whatever signal. */
interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

/** Logs once that a signal cannot be sent, and once that it can be again: a collector that is away is no reason for more. */
export class ExportReports {
  constructor(private readonly log: TelemetryLog) {}

  /** @param signal how its sentence begins @returns the exporter */
  watch<Items, Watched extends Exporter<Items>>(
    signal: string,
    exporter: Watched & Exporter<Items>,
  ): Watched {
    const send = exporter.export.bind(exporter);
    let isLost = false;
    exporter.export = (items, done) => {
      send(items, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS;
        if (hasFailed && !isLost)
          this.log.warn(
            `${signal} cannot be sent: ${result.error?.message ?? 'refused'}. They are dropped until it works.`,
          );
        if (!hasFailed && isLost) this.log.info(`${signal} are sent again.`);
        isLost = hasFailed;
        done(result);
      });
    };
    return exporter;
  }
}
