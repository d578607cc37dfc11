import { Worker } from 'node:worker_threads';

/** Where the thread notes the time, and where it is told to end. */
const TIME = 0;
const END = 1;
const TICK_MS = 10;

const notes = new Int32Array(new SharedArrayBuffer(8));
let thread: Worker | undefined;

/** Counts the ticks it gets, each for as long as it took, unless that was far too long: then nothing ran. */
const TICKING = `
  const { workerData: notes } = require('node:worker_threads');
  let awake = 1;
  for (let last = performance.now(); Atomics.load(notes, ${END}) === 0; ) {
    Atomics.store(notes, ${TIME}, Math.round(awake));
    Atomics.notify(notes, ${TIME});
    Atomics.wait(notes, ${END}, 0, ${TICK_MS});
    const now = performance.now();
    awake += Math.min(now - last, ${2 * TICK_MS});
    last = now;
  }`;

afterAll(async () => {
  Atomics.store(notes, END, 1);
  Atomics.notify(notes, END);
  await thread?.terminate();
});

/**
 * Milliseconds of a clock that stands still while this machine, or this process as a whole, does: a pause says
 * nothing of what is measured. What keeps the thread of the test busy counts.
 */
export function awakeMs(): number {
  thread ??= new Worker(TICKING, { eval: true, workerData: notes });
  while (Atomics.load(notes, TIME) === 0) Atomics.wait(notes, TIME, 0, TICK_MS);
  return Atomics.load(notes, TIME);
}
