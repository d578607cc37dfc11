/**
 * Like `describe`, for tests that need what a machine may lack. Where it does they are skipped, and the table at the end
 * of the run says for want of what.
 * @param isThere whether it is there, or has to be, so that they fail without it
 * @param need what it is, and how to get it
 */
export function describeNeeding(isThere: boolean, need: string, name: string, tests: () => void): void {
  if (isThere) describe(name, tests);
  else describe.skip(`needs ${need}`, () => describe(name, tests));
}
