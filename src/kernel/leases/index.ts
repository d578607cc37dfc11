export { Lease, LeaseLostError } from './lease';
export { LeasedRuns, type LeasedWork } from './leased-runs';
