import { describeWithEngine } from '../support/containers/container-engine';
import { openDockerAmongOthers } from './docker-fixture';
import { describeOwnDriver } from './driver-suite';

describeOwnDriver({
  name: 'docker',
  open: openDockerAmongOthers,
  describe: describeWithEngine,
  workingDir: '/workspace/project',
  movesOnResume: true,
  isBehindDoor: true,
  logs: { say: /listens on/, stay: true },
  survivesAway: false,
  faults: {
    missingImage: {
      env: { SANDBOX_IMAGE: 'localhost:1/there/is:none' },
      detail:
        /^The image localhost:1\/there\/is:none is not on the container engine, and cannot be fetched \(.+\): build or load it there, or correct SANDBOX_IMAGE\.$/,
    },
    noCapacity: {
      env: { DOCKER_SUBNETS: '10.99.0.0/29' },
      detail: /^All 1 networks of DOCKER_SUBNETS \(10\.99\.0\.0\/29\) are taken; /,
    },
    outOfMemory: {
      env: { SANDBOX_MEMORY_MEBIBYTES: '12' },
      detail: /It ran out of memory: it may have 12 MiB \(SANDBOX_MEMORY_MEBIBYTES\)\.$/,
    },
    diskFull: {
      env: { SANDBOX_DISK_MEBIBYTES: '8' },
      detail: /Its files take \d+ MiB of disk, and its share is 8 MiB \(SANDBOX_DISK_MEBIBYTES\)/,
    },
  },
  isolatesNetwork: true,
  keepsKeysFromLookers: true,
  findsForgotten: true,
});
