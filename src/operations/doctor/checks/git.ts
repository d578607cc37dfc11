import { problemOfGit } from '../../../agents/skills';
import { type Finding, ok, warn } from '../finding';

/** Whether there is a git that marketplaces can be previewed with. */
export async function checkGit(): Promise<Finding> {
  const problem = await problemOfGit();
  return problem === null
    ? ok('git', 'Marketplaces can be previewed.')
    : warn('git', `Marketplaces cannot be previewed: ${problem}.`, 'Install it, or put it first in PATH.');
}
