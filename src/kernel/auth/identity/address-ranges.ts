import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../../common';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** How many ranges a key may have. */
export const MAX_ADDRESS_RANGES = 100;

/** Before an IPv4 address in the form of IPv6: so many bits are no part of it. */
const MAPPED_BITS = 96;

/** IPv4 addresses as the first standards of IPv6 had them; the library takes them for others. */
const OUTDATED = /^::[\d.]+\.[\d.]+$/;

const BITS = /^(?:0|[1-9]\d{0,2})$/;

/** 400: what is to be a range of addresses is none (docs/contract.md#keys-that-can-do-less). */
export class AddressRangeInvalidError extends AppError {
  constructor(text: string, problem: string) {
    super(
      400,
      'address_range_invalid',
      `${JSON.stringify(text.slice(0, 60))} is no range of addresses: ${problem}.`,
    );
  }
}

/** Addresses with the same first bits. */
interface Range {
  readonly first: Address;
  readonly bits: number;
}

/** Some ranges of IPv4 and IPv6 addresses. IPv4 addresses in the form of IPv6 are those of IPv4. */
export class AddressRanges {
  private readonly ranges: readonly Range[];

  /**
   * @param texts addresses, or ranges in CIDR notation
   * @throws AddressRangeInvalidError for what is neither, and for a range whose address is not its first
   */
  constructor(texts: readonly string[]) {
    this.ranges = texts.map(rangeIn);
  }

  /** Each once, in canonical CIDR notation. */
  get texts(): string[] {
    return [...new Set(this.ranges.map(textOf))];
  }

  /** Whether an address is in one of them; false for what is no address. */
  has(text: string): boolean {
    const address = addressIn(text.split('%', 1)[0] ?? '');
    return address !== null && this.ranges.some((range) => isWithin(address, range));
  }

  /** Whether each of some ranges is within one of these. */
  cover(others: AddressRanges): boolean {
    return others.ranges.every(({ first, bits }) =>
      this.ranges.some((range) => range.bits <= bits && isWithin(first, range)),
    );
  }
}

function isWithin(address: Address, { first, bits }: Range): boolean {
  if (address instanceof ipaddr.IPv4) return first instanceof ipaddr.IPv4 && address.match(first, bits);
  return first instanceof ipaddr.IPv6 && address.match(first, bits);
}

function rangeIn(text: string): Range {
  const [base = '', bitsText, ...more] = text.split('/');
  const parsed = isAddress(base) && !base.includes('%') && more.length === 0 ? ipaddr.parse(base) : null;
  if (parsed === null) throw new AddressRangeInvalidError(text, 'it has to be an address, or one with /BITS');
  const most = parsed.toByteArray().length * 8;
  const bits = bitsText === undefined ? most : BITS.test(bitsText) ? Number(bitsText) : Infinity;
  if (bits > most)
    throw new AddressRangeInvalidError(text, `after the slash comes a number from 0 to ${most}`);
  const range = unmapped({ first: parsed, bits });
  const whole = firstOf(range);
  if (whole.toString() !== range.first.toString())
    throw new AddressRangeInvalidError(text, `that range begins at ${whole.toString()}`);
  return range;
}

function addressIn(text: string): Address | null {
  return isAddress(text) ? ipaddr.process(text) : null;
}

function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !OUTDATED.test(text);
}

/** One of IPv4 addresses in the form of IPv6 as one of IPv4. */
function unmapped({ first, bits }: Range): Range {
  const isMapped = first instanceof ipaddr.IPv6 && first.isIPv4MappedAddress() && bits >= MAPPED_BITS;
  return isMapped ? { first: first.toIPv4Address(), bits: bits - MAPPED_BITS } : { first, bits };
}

function firstOf({ first, bits }: Range): Address {
  const bytes = first
    .toByteArray()
    .map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - index * 8))));
  return ipaddr.fromByteArray(bytes);
}

function textOf({ first, bits }: Range): string {
  const address = first instanceof ipaddr.IPv6 ? first.toRFC5952String() : first.toString();
  return `${address}/${bits}`;
}
