/** What `GET /metrics` answered, by series: `name{label="value"}` as it stands there. */
export class ScrapedMetrics {
  private constructor(
    private readonly values: ReadonlyMap<string, number>,
    /** The names that are declared, whether they have values or not. */
    readonly names: ReadonlySet<string>,
  ) {}

  /** Scrapes a service. @param server where it listens */
  static async of(server: { readonly url: string }): Promise<ScrapedMetrics> {
    const response = await fetch(`${server.url}/metrics`);
    if (response.status !== 200) throw new Error(`The scrape was answered with ${response.status}.`);
    return ScrapedMetrics.parse(await response.text());
  }

  /** @param text in the text format of Prometheus */
  static parse(text: string): ScrapedMetrics {
    const lines = text.split('\n');
    const values = lines.flatMap((line) => {
      const [, series, value] = /^([a-z_][^ {]*(?:\{.*\})?) (\S+)$/i.exec(line) ?? [];
      return series === undefined ? [] : [[series, Number(value)] as const];
    });
    const names = lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []);
    return new ScrapedMetrics(new Map(values), new Set(names));
  }

  /** The value of a series; undefined where there is none. */
  value(series: string): number | undefined {
    return this.values.get(series);
  }

  /** The series of a metric. */
  seriesOf(name: string): readonly string[] {
    return [...this.values.keys()].filter((series) => series === name || series.startsWith(`${name}{`));
  }

  /** All values of a label of a metric, each once. */
  labelValues(name: string, label: string): readonly string[] {
    const found = this.seriesOf(name).flatMap(
      (series) => new RegExp(`[{,]${label}="([^"]*)"`).exec(series)?.[1] ?? [],
    );
    return [...new Set(found)];
  }
}
