import './compile-cache';
import 'reflect-metadata';
import { READY } from './keep-running';
import { runService } from './run-service';

// Where something keeps it running (`keep-running.ts`), it ends with that.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
void runService().then(() => process.send?.(READY));
