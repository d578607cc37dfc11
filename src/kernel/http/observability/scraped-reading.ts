import { Gauge, type Registry } from 'prom-client';

/** What is read for one scrape serves those that follow shortly: there may be several scrapers. */
const FRESH_MS = 5_000;

/** A scrape does not wait for longer: everything else it asks for is known. */
const PATIENCE_MS = 2_000;

/**
 * Something about the whole installation, read from the database when metrics are scraped: a value that one process read
 * now and then would go on being shown by it after another process has read a newer one.
 */
export class ScrapedReading<Value> {
  private reading: Promise<Value | null> | undefined;
  private isUnderWay = false;
  private readAtMs = -Infinity;

  constructor(private readonly read: () => Promise<Value>) {}

  /** @returns null where it cannot be read in time: then there is nothing to show */
  async current(): Promise<Value | null> {
    if (this.reading === undefined || (!this.isUnderWay && performance.now() > this.readAtMs + FRESH_MS))
      this.reading = this.readNow();
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), PATIENCE_MS);
    });
    try {
      return await Promise.race([this.reading, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async readNow(): Promise<Value | null> {
    this.isUnderWay = true;
    this.readAtMs = performance.now();
    try {
      return await this.read();
    } catch {
      // `/ready` and the log report whether the database answers.
      return null;
    } finally {
      this.isUnderWay = false;
    }
  }
}

/**
 * Gauges of the row that tells something about the whole installation.
 * @param gauges by their names: the field that each shows, and what it is
 */
export function scrapedGauges<Field extends string>(
  registry: Registry,
  read: () => Promise<readonly Readonly<Record<Field, number>>[]>,
  gauges: Readonly<Record<string, readonly [field: Field, help: string]>>,
): void {
  const reading = new ScrapedReading(read);
  for (const [name, [field, help]] of Object.entries(gauges))
    new Gauge({
      name,
      help,
      registers: [registry],
      // All processes read the same.
      aggregator: 'first',
      async collect() {
        const [row] = (await reading.current()) ?? [];
        if (row === undefined) this.remove();
        else this.set(row[field]);
      },
    });
}
