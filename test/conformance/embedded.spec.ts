import { describeDriver } from './driver-suite';
import { describeAsRoot, openProcesses } from './process-fixture';

describeDriver({
  name: 'embedded',
  open: () => openProcesses('embedded'),
  describe: describeAsRoot,
  workingDir: '/workspace/project',
  movesOnResume: false,
  isBehindDoor: false,
  faults: {},
  isolatesNetwork: false,
  keepsKeysFromLookers: false,
  findsForgotten: false,
});
