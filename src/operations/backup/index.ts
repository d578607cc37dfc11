export { BackupError } from './backup-error';
export { restoreBackup, type RestoredBackup } from './restore-backup';
export { writeBackup, type WrittenBackup } from './write-backup';
