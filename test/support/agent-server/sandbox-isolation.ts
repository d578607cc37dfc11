import { namespaceProblem } from '../../../src/drivers/launch/namespaces';

/** Whether sandboxes of processes have namespaces here, and agent servers are forked; they have to where CI is set. */
export const isIsolated = namespaceProblem() === null || process.env.CI !== undefined;

/** The settings of a service that isolates sandboxes of processes as it does by default, where that is possible. */
export const ISOLATED: Readonly<Record<string, string>> = isIsolated ? {} : { SANDBOX_ISOLATION: 'none' };
