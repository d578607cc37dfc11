import { SecretBox } from './secret-box';

describe('SecretBox', () => {
  it('opens what it sealed, in the same context only', () => {
    const box = new SecretBox(['one']);
    const sealed = box.seal('sëcret', 'sandbox:1');
    expect(box.open(sealed, 'sandbox:1')).toBe('sëcret');
    expect(() => box.open(sealed, 'sandbox:2')).toThrow();
    expect(sealed).not.toContain('sëcret');
  });

  it('keeps null, which is no secret', () => {
    const box = new SecretBox(['one']);
    expect([box.seal(null, 'c'), box.open(null, 'c')]).toEqual([null, null]);
  });

  it('reads what an older key sealed and writes with the current one', () => {
    const sealed = new SecretBox(['old']).seal('x', 'c');
    const box = new SecretBox(['new', 'old']);
    expect(box.open(sealed, 'c')).toBe('x');
    expect(box.seal('x', 'c').startsWith(`${box.currentKeyId}.`)).toBe(true);
    expect(() => new SecretBox(['new']).open(sealed, 'c')).toThrow('SECRET_KEYS_OLD');
  });

  it('finds what was derived under an older key', () => {
    const derived = new SecretBox(['old']).mac('x');
    const box = new SecretBox(['new', 'old']);
    expect(box.mac('x')).not.toEqual(derived);
    expect(box.macs('x')).toEqual([box.mac('x'), derived]);
  });

  it('refuses a ciphertext that was changed', () => {
    const box = new SecretBox(['one']);
    const sealed = box.seal('secret', 'c');
    const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
    expect(() => box.open(changed, 'c')).toThrow();
  });
});
