import { asIpAddress, isOfCloud, isPublicAddress } from './public-address';

describe('a public address', () => {
  it.each(['140.82.112.3', '1.1.1.1', '2606:4700::1111', '2a01:4f8::1', '::ffff:140.82.112.3'])(
    '%s is one',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '127.0.0.1',
    '127.255.0.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '168.63.129.16',
    '0xa83f8110',
    '::ffff:168.63.129.16',
    '::ffff:a83f:8110',
    '64:ff9b::168.63.129.16',
    '64:ff9b::a83f:8110',
    '64:ff9b:1::a83f:8110',
    '192.0.0.192',
    '100.100.100.200',
    'fd00:ec2::254',
    '100.64.0.1',
    '192.0.0.8',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fec0::1',
    'ff02::1',
    '100::1',
    '2130706433',
    '0177.0.0.1',
    '0x7f000001',
    '127.1',
    'localhost',
    '',
  ])('%s is none', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '64:ff9b::a83f:8110',
    '64:ff9b::a9fe:a9fe',
    'fd00:ec2::254',
  ])('%s is where a cloud answers its machines', (address) => {
    expect(isOfCloud(address)).toBe(true);
  });

  it.each(['168.63.129.17', '64:ff9b::8c52:7003', '10.0.0.1'])('%s is nothing of a cloud', (address) => {
    expect(isOfCloud(address)).toBe(false);
  });

  it.each(['2130706433', '017700000001', '0x7f.1', '0177.0.0.1', '127.1', '::ffff:127.0.0.1'])(
    '%s is read as what it stands for',
    (notation) => {
      expect(asIpAddress(notation)).toBe('127.0.0.1');
    },
  );
});
