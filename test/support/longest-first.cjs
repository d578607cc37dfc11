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
  'integration/start-up/pasted-commands.replicas',
  'integration/start-up/start-up.replicas',
  'integration/jobs/dead-workers.replicas',
  'e2e/identity/ends-of-credentials.replicas',
  'integration/pending-messages/crash.replicas',
  'integration/backup/whole-life.replicas',
  'integration/doctor/doctor.replicas',
  'integration/jobs/jobs',
  'integration/database/embedded-postgres.replicas',
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
