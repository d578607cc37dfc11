import { SparseFileBudget } from './sparse-file-budget';

const GIBIBYTE = 1024 ** 3;

/** A file of a size that takes so much of its disk. */
const file = (gibibytes: number, taken: number) => ({
  size: gibibytes * GIBIBYTE,
  blocks: (taken * GIBIBYTE) / 512,
});

describe('the allowance for holes', () => {
  it('is not needed by files that take an eighth of their size, however large they are', () => {
    const allowance = new SparseFileBudget();
    for (const one of [file(0, 0), file(1, 1), file(100_000, 100_001), file(100_000, 12_500), file(64, 0)])
      expect(allowance.take(one)).toBe(true);
  });

  it('is one of all files together', () => {
    const allowance = new SparseFileBudget();
    expect(allowance.take(file(40, 1))).toBe(true);
    expect(allowance.take(file(41, 1))).toBe(false);
    expect(allowance.take(file(32, 0))).toBe(true);
    expect(allowance.take({ size: 1, blocks: 0 })).toBe(false);
    expect(allowance.take({ size: 1, blocks: 8 })).toBe(true);
  });

  it('is not enough for a large file of which a sixty-fourth is there', () => {
    expect(new SparseFileBudget().take(file(128, 2.1))).toBe(false);
  });
});
