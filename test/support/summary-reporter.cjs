/** Ends a run with one line for people and programs: `12 passed, 0 failed`, and how many were skipped. */
module.exports = class ClosingLine {
  onRunComplete(_contexts, results) {
    // A file that does not even load counts as a failure, though none of its tests ran.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests === 0 ? '' : `, ${results.numPendingTests} skipped`;
    process.stdout.write(`${results.numPassedTests} passed, ${failed} failed${skipped}\n`);
  }
};
