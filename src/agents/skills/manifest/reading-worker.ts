import { parentPort } from 'node:worker_threads';
import { readManifest } from './marketplace-manifest';
import type { ReadingTask } from './text-reader';
import { readSkillFile } from './skill-file';

/** Runs in a worker thread: parses untrusted texts one at a time, so that none blocks the service. */
parentPort?.on('message', (task: ReadingTask) => {
  parentPort?.postMessage(
    task.kind === 'manifest' ? readManifest(task.bytes) : readSkillFile(task.bytes, task.isWhole, task.place),
  );
});
parentPort?.postMessage('ready');
