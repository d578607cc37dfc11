export { examineInstallation } from './examine-installation';
export type { Finding } from './finding';
export { hasFailed, reportOf } from './report';
