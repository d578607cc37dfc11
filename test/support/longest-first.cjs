const { default: Sequencer } = require('@jest/test-sequencer');

/** Below `test`, the files that take longest, the longest first. */
const LONGEST = [
  'integration/kubernetes/deploy.engines',
  'integration/kubernetes/driver.engines',
  'conformance/kubernetes.engines',
  'conformance/docker.engines',
  'support/web-interface/crawler.browser',
  'e2e/web-interface/all-pages.browser',
  'integration/jobs/dead-workers.replicas',
  'integration/pending-messages/crash.replicas',
  'integration/start-up/start-up',
  'integration/start-up/pasted-commands',
  'integration/doctor/doctor',
  'conformance/embedded',
  'contract/public-surface',
  'integration/backup/whole-life',
  'integration/sandboxes/process-driver',
  'conformance/process',
  'integration/sandboxes/foreign-listener',
  'integration/jobs/jobs',
  'integration/sandboxes/shared-agent-server',
  'integration/backup/extensions',
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
