import type { Finding } from './finding';

/** One line for each finding, and below it what to change. */
export function reportOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings
    .map(({ check, state, says, change }) => {
      const line = `${state.padEnd(4)}  ${check.padEnd(width)}  ${says}`;
      return change === undefined ? line : `${line}\n${' '.repeat(width + 8)}${change}`;
    })
    .join('\n');
}

/** Whether something does not work. */
export function hasFailed(findings: readonly Finding[]): boolean {
  return findings.some(({ state }) => state === 'fail');
}
