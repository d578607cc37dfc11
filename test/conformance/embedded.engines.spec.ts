import { describeOwnDriver } from './driver-suite';
import { ofProcesses, openProcesses } from './process-fixture';

describeOwnDriver({
  ...ofProcesses,
  name: 'embedded',
  open: () => openProcesses('embedded'),
});
