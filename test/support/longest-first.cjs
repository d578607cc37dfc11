const { default: Sequencer } = require('@jest/test-sequencer');

/** Below `test`, the files that take longest, the longest first. */
const LONGEST = [
  'conformance/kubernetes',
  'conformance/docker',
  'integration/start-up/start-up',
  'conformance/embedded',
  'integration/jobs/dead-workers',
  'e2e/replicas/rolling-restart',
  'contract/public-surface',
  'integration/backup/whole-life',
  'integration/sandboxes/process-driver',
  'integration/doctor/doctor',
  'integration/pending-messages/crash',
  'conformance/process',
  'integration/start-up/pasted-commands',
  'integration/pending-messages/delivery',
  'e2e/web-interface/all-pages',
  'integration/sandboxes/foreign-listener',
  'integration/sandboxes/docker-driver',
  'integration/start-up/keep-running',
  'integration/jobs/jobs',
  'e2e/web-interface/real-interface',
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
