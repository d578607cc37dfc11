import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from '../common';
import { Lease, LeaseLostError } from './lease';

class SetClock extends Clock {
  ms = 0;

  override monotonicMs(): number {
    return this.ms;
  }
}

describe('a lease', () => {
  const clock = new SetClock();
  let lease: Lease;
  beforeEach(() => {
    clock.ms = 100;
    lease = new Lease(clock, 50);
  });
  afterEach(() => lease.end());

  it('is not held before it is granted', () => {
    expect(lease.isHeld).toBe(false);
    expect(() => lease.assertHeld()).toThrow(LeaseLostError);
  });

  it('is held for its length from the moment it was asked for, and longer with each renewal', () => {
    lease.renewed(90);
    clock.ms = 139;
    lease.assertHeld();
    lease.renewed(120);
    clock.ms = 169;
    expect(lease.isHeld).toBe(true);
    clock.ms = 170;
    expect(lease.isHeld).toBe(false);
  });

  it('is not cut short by a renewal that was asked for before the last one', () => {
    lease.renewed(120);
    lease.renewed(90);
    clock.ms = 169;
    expect(lease.isHeld).toBe(true);
  });

  it('is held again after a renewal that came late, unless somebody was cut off', async () => {
    lease.renewed(100);
    clock.ms = 160;
    lease.renewed(155);
    expect(lease.isHeld).toBe(true);
    const { signal } = lease;
    clock.ms = 300;
    while (!signal.aborted) await sleep(5);
    expect(signal.reason).toBeInstanceOf(LeaseLostError);
    lease.renewed(300);
    expect(lease.isHeld).toBe(false);
  });

  it('cuts nobody off while it is renewed', async () => {
    lease.renewed(100);
    const { signal } = lease;
    clock.ms = 140;
    lease.renewed(140);
    clock.ms = 160;
    await sleep(80);
    expect(signal.aborted).toBe(false);
  });

  it('is over once it has ended, whatever is renewed', () => {
    lease.renewed(100);
    lease.end();
    lease.renewed(100);
    expect(lease.isHeld).toBe(false);
    expect(lease.signal.aborted).toBe(true);
  });
});
