const { default: Sequencer } = require('@jest/test-sequencer');

/** Below `test`, the files that take longest, the longest first. */
const LONGEST = [
  'conformance/kubernetes',
  'conformance/docker',
  'e2e/swagger-ui-operations',
  'integration/start-up/start-up',
  'integration/backup/upgrading',
  'conformance/docker-warm',
  'integration/kubernetes/deploy',
  'integration/kubernetes/driver',
  'integration/pending-messages/after-run',
  'e2e/pending-messages/large-queues',
  'integration/database/embedded-postgres',
  'integration/pending-messages/delivery',
  'integration/jobs/jobs',
  'integration/jobs/dead-workers',
  'e2e/web-interface/all-pages',
  'contract/fuzz',
  'e2e/event-streams/hostile-readers',
  'integration/sandboxes/shared-agent-server',
  'integration/pending-messages/crash',
  'integration/skills/preview-limits',
  'integration/sandboxes/process-driver',
  'integration/pending-messages/after-run-crash',
  'integration/domain-events/kinds',
  'integration/webhooks/failures',
  'e2e/sandbox-access/sockets',
  'e2e/git-search/in-browser',
  'integration/database/embedded-socket',
  'e2e/web-interface/real-interface',
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
