import { newUserCode, shownUserCode, userCodeIn } from './device-codes';

describe('the code of a device, for people', () => {
  it('is made of eight consonants, and read again as it is shown', () => {
    for (let time = 0; time < 200; time++) {
      const code = newUserCode();
      expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
      expect(userCodeIn(shownUserCode(code))).toBe(code);
    }
  });

  it.each(['WDJB-MJHT', 'wdjbmjht', ' wdjb mjht ', 'W.D.J.B–M.J.H.T', 'wDjB—MjHt\n'])(
    'is one in %j',
    (text) => {
      expect(userCodeIn(text)).toBe('WDJBMJHT');
    },
  );

  it.each(['', 'WDJB-MJH', 'WDJB-MJHTT', 'WDJB-MJHA', 'WDJB-MJH1', 'WDJB-MJHТ', '-'.repeat(1_000)])(
    'is none in %j',
    (text) => {
      expect(userCodeIn(text)).toBeNull();
    },
  );
});
