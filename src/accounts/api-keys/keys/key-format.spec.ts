import { displayPrefix, isWellFormedKey, newKey } from './key-format';

describe('the form of a key', () => {
  it('is ocs_, 32 random and 6 checksum characters', () => {
    expect(newKey()).toMatch(/^ocs_[0-9A-Za-z]{38}$/);
    expect(newKey()).not.toBe(newKey());
  });

  it('carries the CRC-32 of what stands before it, in base 62 with leading zeros', () => {
    const text = `ocs_${'0'.repeat(32)}`;
    expect(isWellFormedKey(text + checksum(text))).toBe(true);
  });

  it('shows every single changed character', () => {
    const key = newKey();
    for (let i = 4; i < key.length; i++) {
      const other = key.charAt(i) === 'x' ? 'y' : 'x';
      expect(isWellFormedKey(key.slice(0, i) + other + key.slice(i + 1))).toBe(false);
    }
  });

  it('has a prefix that does not reveal the key', () => {
    expect(displayPrefix(newKey())).toHaveLength(10);
  });
});

/** An independent implementation of the checksum: CRC-32 bit by bit, base 62 with big integers. */
function checksum(text: string): string {
  let crc = 0xffffffffn;
  for (const byte of Buffer.from(text)) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ 0xedb88320n : crc >> 1n;
  }
  crc ^= 0xffffffffn;
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = alphabet.charAt(Number(crc % 62n)) + digits;
    crc /= 62n;
  }
  return digits;
}
