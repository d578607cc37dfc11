export { type FaultPoint, FaultPoints } from './fault-points';
export { Lease, LeaseLostError } from './lease';
export { LeasedRuns, type LeasedWork } from './leased-runs';
