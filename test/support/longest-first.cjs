const { default: Sequencer } = require('@jest/test-sequencer');

/** Below `test`, the files that take longest, the longest first. */
const LONGEST = [
  'integration/kubernetes/deploy.engines',
  'integration/kubernetes/driver.engines',
  'conformance/kubernetes.engines',
  'conformance/docker.engines',
  'integration/sandboxes/process-driver.engines',
  'conformance/process.engines',
  'conformance/embedded.engines',
  'support/web-interface/crawler.browser.long',
  'e2e/web-interface/all-pages.browser',
  'integration/database/embedded-postgres.replicas',
  'integration/start-up/start-up.replicas',
  'integration/database/two-roles.replicas',
  'e2e/orgs/ends-of-organizations.replicas',
  'integration/doctor/doctor.replicas',
  'integration/start-up/pasted-commands.replicas',
  'integration/jobs/dead-workers.replicas',
  'integration/audit-log/killed-replicas.replicas',
  'integration/backup/whole-life.replicas',
  'integration/pending-messages/crash.replicas',
  'integration/start-up/workers.replicas',
  'integration/pending-messages/delivery',
  'e2e/event-streams/words',
  'contract/openapi',
  'e2e/pending-messages/large-queues',
  'integration/conversations/failed-starts',
  'e2e/persons/erasure',
  'e2e/sandbox-access/sockets',
  'clients/typescript-client',
  'integration/jobs/jobs',
  'integration/pending-messages/after-run',
  'integration/conversations/agents-at-once',
  'contract/fuzz',
];

/**
 * Begins with the files that take longest, also on a machine that has not run them yet: a long one that comes last keeps
 * one worker busy while the others have nothing left to do.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    const rankOf = ({ path }) => {
      const rank = LONGEST.findIndex((name) => path.endsWith(`/test/${name}.spec.ts`));
      return rank === -1 ? LONGEST.length : rank;
    };
    return super.sort(tests).sort((one, other) => rankOf(one) - rankOf(other));
  }
};
