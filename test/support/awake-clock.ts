import { Worker } from 'node:worker_threads';
import { timeBound } from './time-bound';

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

/**
 * Asks until the answer is as expected, or was asked for after a time and is not: what was asked before may be answered
 * late by what was known then.
 * @param ms the time on a machine that does nothing else
 * @returns the last answer
 */
export async function answerWithin<T>(
  ms: number,
  ask: () => Promise<T>,
  isExpected: (answer: T) => boolean,
): Promise<T> {
  const began = awakeMs();
  for (;;) {
    const askedAt = awakeMs();
    const answer = await ask();
    if (isExpected(answer) || askedAt - began >= timeBound(ms)) return answer;
  }
}
