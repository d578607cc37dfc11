/**
 * `npm run audit`: known vulnerabilities of what the service runs with. Fails on those of high severity; a registry
 * that does not offer the check is said and passed over.
 */
import { spawnSync } from 'node:child_process';

const { stdout, stderr, status } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
  encoding: 'utf8',
});
const response = stdout.trim() === '' ? {} : JSON.parse(stdout);
if (response.auditReportVersion === undefined) {
  const why = response.message ?? response.error?.summary ?? stderr.trim().split('\n').at(-1);
  process.stdout.write(`Not audited: the registry does not offer it (${why}).\n`);
} else {
  const { total, high, critical } = response.metadata.vulnerabilities;
  process.stdout.write(`Audited: ${total} known vulnerabilities, ${high} high, ${critical} critical.\n`);
  if (status !== 0) process.stdout.write(`${JSON.stringify(response.vulnerabilities, null, 2)}\n`);
  process.exitCode = status ?? 1;
}
