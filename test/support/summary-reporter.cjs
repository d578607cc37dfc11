const { relative } = require('node:path');

/** What `describeNeeding` names a block that it skips. */
const NEEDS = /^needs (.+)$/;

/**
 * Ends a run with a table of what was skipped, and with one line for people and programs: `12 passed, 0 failed`, and how
 * many were skipped.
 */
module.exports = class ClosingLines {
  constructor({ testNamePattern }) {
    this.picksTests = Boolean(testNamePattern);
  }

  onRunComplete(_contexts, results) {
    // Tests that were not asked for count as skipped, too.
    if (!this.picksTests) this.tell(results);
    // A file that does not even load counts as a failure, though none of its tests ran.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests === 0 ? '' : `, ${results.numPendingTests} skipped`;
    process.stdout.write(`${results.numPassedTests} passed, ${failed} failed${skipped}\n`);
  }

  /** Prints for want of what how many tests were skipped, and in which files. */
  tell({ testResults }) {
    const rows = new Map();
    for (const { testFilePath, testResults: tests } of testResults)
      for (const { status, ancestorTitles } of tests) {
        if (status !== 'pending') continue;
        const need = NEEDS.exec(ancestorTitles[0])?.[1] ?? 'another user or system, or LONG=yes';
        const row = rows.get(need) ?? { count: 0, files: new Set() };
        rows.set(need, row);
        row.count += 1;
        row.files.add(relative(process.cwd(), testFilePath));
      }
    for (const [need, { count, files }] of rows)
      process.stdout.write(
        `${`${count}`.padStart(4)} skipped for want of ${need}\n     ${[...files].join('\n     ')}\n`,
      );
  }
};
