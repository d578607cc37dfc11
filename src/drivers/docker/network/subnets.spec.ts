import { Subnets } from './subnets';

describe('the networks of containers', () => {
  it('are cut from a large one, eight addresses each, the first of which is the gateway’s', () => {
    const subnets = new Subnets('10.213.0.0/16');
    expect(subnets.count).toBe(8_192);
    expect(subnets.free([], 0)).toEqual({
      subnet: '10.213.0.0/29',
      gateway: '10.213.0.1',
      index: 0,
    });
    expect(subnets.free([], 8_191)).toEqual({
      subnet: '10.213.255.248/29',
      gateway: '10.213.255.249',
      index: 8_191,
    });
  });

  it('overlap with no other, of whatever size, and are found from where the search begins', () => {
    const subnets = new Subnets('192.168.7.0/26');
    const taken = ['192.168.7.0/29', '192.168.7.12/32', 'fd00::/64', '192.168.7.16/28'];
    expect(subnets.free(taken, 0)?.subnet).toBe('192.168.7.32/29');
    expect(subnets.free(taken, 7)?.subnet).toBe('192.168.7.56/29');
    expect(subnets.free([...taken, '192.168.7.32/27'], 5)).toBeNull();
    expect(subnets.free(['192.168.0.0/16'], 0)).toBeNull();
  });

  it('are found beyond the end of the large one at its beginning', () => {
    expect(new Subnets('10.0.0.0/28').free(['10.0.0.8/29'], 1)?.subnet).toBe('10.0.0.0/29');
  });
});
