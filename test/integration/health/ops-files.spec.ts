import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { startTestApp, type TestApp } from '../../support/service/app';
import { describeWith } from '../../support/replicas/programs';
import { ScrapedMetrics } from '../../support/telemetry/scraped-metrics';

const OPS = join(__dirname, '..', '..', '..', 'ops');
const RULES = join(OPS, 'prometheus');
const DOCUMENT = join(__dirname, '..', '..', '..', 'docs', 'observability.md');
const DASHBOARDS = readdirSync(join(OPS, 'grafana'));

/** Of Prometheus itself, and of a driver that is not in use. */
const ELSEWHERE = new Set(['up', 'kubernetes_api_requests_total']);

/** Of the process and the runtime; the document names some of them. */
const OF_THE_PROCESS = /^(?:process|nodejs)_/;

const dashboardSchema = z.object({
  uid: z.string(),
  title: z.string(),
  panels: z
    .array(
      z.object({
        id: z.number(),
        title: z.string(),
        gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
        targets: z.array(z.object({ expr: z.string() })).min(1),
      }),
    )
    .min(1),
});
type Dashboard = z.infer<typeof dashboardSchema>;

const rulesSchema = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});

const dashboardOf = (file: string): Dashboard =>
  dashboardSchema.parse(JSON.parse(readFileSync(join(OPS, 'grafana', file), 'utf8')));

const rules = (): { alert: string; expr: string }[] =>
  rulesSchema
    .parse(parse(readFileSync(join(RULES, 'alerts.yaml'), 'utf8')))
    .groups.flatMap((group) => group.rules);

/** An expression as Prometheus gets it from Grafana. */
const filled = (expr: string): string => expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'job');

/** The names of metrics in an expression: they are followed by a selector. */
const metricsIn = (expr: string): string[] =>
  [...expr.matchAll(/\b([a-z_]+)\{/g)].map(([, name = '']) => name);

/** The metric that a series of a histogram belongs to. */
const familyOf = (series: string): string => series.replace(/(?<=_seconds)_(?:bucket|count|sum)$/, '');

describe('dashboards and alerts', () => {
  let service: TestApp;
  let known: ReadonlySet<string>;

  beforeAll(async () => {
    service = await startTestApp();
    known = (await ScrapedMetrics.of(service)).names;
  });
  afterAll(() => service.close());

  it.each(DASHBOARDS)('%s asks for metrics that there are', (file) => {
    const asked = dashboardOf(file).panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => metricsIn(expr)),
    );
    expect(asked.map(familyOf).filter((name) => !known.has(name) && !ELSEWHERE.has(name))).toEqual([]);
    expect(asked.length).toBeGreaterThan(10);
  });

  it.each(DASHBOARDS)('%s has panels of their own that do not overlap', (file) => {
    const { panels } = dashboardOf(file);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });

  it('alert about metrics that there are', () => {
    const asked = rules().flatMap(({ expr }) => metricsIn(expr));
    expect(asked.map(familyOf).filter((name) => !known.has(name) && !ELSEWHERE.has(name))).toEqual([]);
  });

  it('are for metrics that the document lists, and it lists all of them', () => {
    const [, table = ''] = /^\| Metric .*\n((?:\|.*\n)+)/m.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];
    const listed = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name);
    const own = [...known].filter((name) => !OF_THE_PROCESS.test(name));
    expect(own.filter((name) => !listed.includes(name))).toEqual([]);
    expect(listed.filter((name) => !known.has(name) && !ELSEWHERE.has(name))).toEqual([]);
  });
});

/** Has promtool judge. @throws with what it says, when something is wrong */
async function judge(...args: string[]): Promise<void> {
  await promisify(execFile)('promtool', args, { cwd: RULES });
}

describeWith('promtool', 'promtool', () => {
  it('accepts the alerts', async () => {
    await expect(judge('check', 'rules', 'alerts.yaml')).resolves.toBeUndefined();
  });

  it('finds that they fire when they should, and not before', async () => {
    await expect(judge('test', 'rules', 'alerts.test.yaml')).resolves.toBeUndefined();
  });

  it('has a test for each of them', () => {
    const tests = readFileSync(join(RULES, 'alerts.test.yaml'), 'utf8');
    const tested = (alert: string): boolean => new RegExp(`alertname: ${alert}\\n +exp_alerts:`).test(tests);
    expect(rules().filter(({ alert }) => !tested(alert))).toEqual([]);
  });

  it.each(DASHBOARDS)('accepts the expressions of %s', async (file) => {
    const exprs = dashboardOf(file).panels.flatMap(({ targets }) => targets.map(({ expr }) => filled(expr)));
    const folder = await mkdtemp(join(tmpdir(), 'dashboard-'));
    const asRules = {
      groups: [{ name: 'panels', rules: exprs.map((expr, n) => ({ record: `panel_${n}`, expr })) }],
    };
    try {
      await writeFile(join(folder, 'rules.yaml'), stringify(asRules));
      await expect(judge('check', 'rules', join(folder, 'rules.yaml'))).resolves.toBeUndefined();
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
