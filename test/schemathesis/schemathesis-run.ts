import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { KnownIds } from './service';

/** What is read of the report that Schemathesis writes. */
const reportSchema = z.object({
  schemathesis_version: z.string(),
  test_cases: z.object({ generated: z.number() }),
  failures: z.array(z.object({ type: z.string(), title: z.string(), count: z.number() }).loose()),
  errors: z.array(z.unknown()),
});
export type RunReport = z.infer<typeof reportSchema>;

export interface RunOptions {
  /** The `schemathesis` command. */
  readonly command: string;
  readonly url: string;
  readonly key: string;
  readonly phases: string;
  readonly maxExamples: number;
  readonly seed: number;
  /** Path parameters with these values; without, all are invented. */
  readonly ids: KnownIds;
}

/** One run of Schemathesis with all its checks. @returns its report, and what it printed */
export async function runSchemathesis(options: RunOptions): Promise<RunReport & { output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'schemathesis-run-'));
  try {
    const config = join(folder, 'schemathesis.toml');
    await writeFile(
      config,
      (await readFile(join(__dirname, 'schemathesis.toml'), 'utf8')) + parameters(options.ids),
    );
    const file = join(folder, 'report.json');
    const args = [
      '--config-file',
      config,
      '--no-color',
      'run',
      `${options.url}/openapi.json`,
      '--header',
      `X-Access-Token: ${options.key}`,
      '--phases',
      options.phases,
      '--max-examples',
      String(options.maxExamples),
      '--seed',
      String(options.seed),
      '--continue-on-failure',
      '--no-shrink',
      '--report',
      'json',
      '--report-json-path',
      file,
    ];
    const output = await outputOf(options.command, args, folder);
    const report = await readFile(file, 'utf8').catch(() => {
      throw new Error(`Schemathesis wrote no report:\n${output.slice(-2000)}`);
    });
    return { ...reportSchema.parse(JSON.parse(report)), output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The table that comes last in the configuration. */
function parameters(ids: KnownIds): string {
  const lines = Object.entries(ids).map(([name, id]) => `"path.${name}" = ${JSON.stringify(id)}`);
  return lines.length === 0 ? '' : `\n[parameters]\n${lines.join('\n')}\n`;
}

/** Failed checks end it with a code of its own: what they are is in the report. */
function outputOf(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
