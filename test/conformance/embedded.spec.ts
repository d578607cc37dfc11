import { describeDriver } from './driver-suite';
import { ofProcesses, openProcesses } from './process-fixture';

describeDriver({
  ...ofProcesses,
  name: 'embedded',
  open: () => openProcesses('embedded'),
});
