/**
 * Requests that Schemathesis invents from the OpenAPI document, as owner, member and stranger, against the built
 * service with data: it fails on server errors, responses that the document does not have, and all other checks.
 *
 *   npm run test:schemathesis -- --cases 20000 [--record]
 */
import { parseArgs } from 'node:util';
import { report } from '../../bench/report';
import { ensureSchemathesis } from '../../scripts/schemathesis-environment';
import { runSchemathesis, type RunReport } from './schemathesis-run';
import { MeasuredService, ROLES } from './service';

/** Below this, what every operation is given anyway (its examples and edges of every parameter) is left out. */
const CASES_WITH_COVERAGE = 5_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '500' },
      seed: { type: 'string', default: '1' },
      record: { type: 'boolean', default: false },
    },
  });
  const wanted = Number(values.cases);
  const isLong = wanted >= CASES_WITH_COVERAGE;
  const { command, version } = await ensureSchemathesis();
  const service = await MeasuredService.start();
  const runs: (RunReport & { role: string; seconds: number })[] = [];
  const total = (): number => runs.reduce((sum, { test_cases }) => sum + test_cases.generated, 0);
  try {
    for (let round = 0; round < ROLES.length || total() < wanted; round++) {
      const role = ROLES[round % ROLES.length] ?? 'owner';
      const data = await service.addData();
      const begun = performance.now();
      const { output, ...result } = await runSchemathesis({
        command,
        url: service.url,
        key: await service.keyOf(role),
        phases: isLong ? 'examples,coverage,fuzzing,stateful' : 'examples,fuzzing,stateful',
        maxExamples: isLong ? 25 : 2,
        seed: Number(values.seed) + round,
        // Every other time all three invent ids as well.
        ids: Math.floor(round / ROLES.length) % 2 === 0 ? data : {},
      });
      const seconds = Math.round((performance.now() - begun) / 1000);
      runs.push({ ...result, role, seconds });
      console.log(
        `${role}: ${result.test_cases.generated} cases, ${result.failures.length} kinds of failures`,
      );
      if (result.failures.length > 0 || result.errors.length > 0) {
        console.log(output);
        process.exitCode = 1;
      }
    }
  } finally {
    await service.stop();
  }
  console.log(`${total()} cases with Schemathesis ${version}`);
  if (values.record) record(version, runs);
}

function record(version: string, runs: readonly (RunReport & { role: string; seconds: number })[]): void {
  const sum = (of: readonly number[]): number => of.reduce((a, b) => a + b, 0);
  const failures = runs.flatMap(({ failures: found }) => found);
  const kinds = [...new Set(failures.map(({ title }) => title))];
  report('schemathesis', {
    version,
    cases: sum(runs.map(({ test_cases }) => test_cases.generated)),
    casesByRole: Object.fromEntries(
      ROLES.map((role) => [
        role,
        sum(runs.filter((run) => run.role === role).map(({ test_cases }) => test_cases.generated)),
      ]),
    ),
    seconds: sum(runs.map(({ seconds }) => seconds)),
    failures: Object.fromEntries(
      kinds.map((kind) => [
        kind,
        sum(failures.filter(({ title }) => title === kind).map(({ count }) => count)),
      ]),
    ),
    errors: sum(runs.map(({ errors }) => errors.length)),
  });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
