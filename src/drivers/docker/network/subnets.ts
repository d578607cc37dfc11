/** A range of IPv4 addresses, its last one included. */
interface Range {
  readonly first: number;
  readonly last: number;
}

const SIZE = 8;

/** A small network, and which one it is. */
export interface Subnet {
  readonly subnet: string;
  readonly gateway: string;
  readonly index: number;
}

/** The small networks that a large one is cut into: eight addresses each, the gateway's and one container's among them. */
export class Subnets {
  private readonly pool: Range;

  /** @param cidr such as `10.213.0.0/16` */
  constructor(cidr: string) {
    this.pool = rangeOf(cidr);
  }

  get count(): number {
    return Math.floor((this.pool.last - this.pool.first + 1) / SIZE);
  }

  /**
   * A subnet without overlap with the taken ones; null when all overlap.
   * @param taken networks in CIDR notation; those of IPv6 are ignored
   * @param from where the search begins, so that several that search at once find different ones
   */
  free(taken: readonly string[], from: number): Subnet | null {
    const ranges = taken.filter((cidr) => !cidr.includes(':')).map(rangeOf);
    for (let n = 0; n < this.count; n++) {
      const index = (from + n) % this.count;
      const first = this.pool.first + index * SIZE;
      const last = first + SIZE - 1;
      if (ranges.some((range) => range.first <= last && range.last >= first)) continue;
      return { subnet: `${textOf(first)}/29`, gateway: textOf(first + 1), index };
    }
    return null;
  }
}

function rangeOf(cidr: string): Range {
  const [address = '', prefix = '32'] = cidr.split('/');
  const size = 2 ** (32 - Number(prefix));
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const first = number - (number % size);
  return { first, last: first + size - 1 };
}

function textOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}
