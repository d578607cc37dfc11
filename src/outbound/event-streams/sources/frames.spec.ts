import { eventFrame, transientFrame } from './frames';

describe('a frame', () => {
  it('has its event in one line, whatever a reader takes for the end of one', () => {
    const event = { text: 'one\u2028two\u2029three\u0085four\nfive\rsix' };
    const json = JSON.stringify(event, null, 2);
    for (const frame of [eventFrame(7, json), transientFrame(json)]) {
      const data = frame.split(/[\n\r\u0085\u2028\u2029]/).filter((line) => line.startsWith('data: '));
      expect(data).toHaveLength(1);
      expect(JSON.parse(data[0]?.slice('data: '.length) ?? '')).toEqual(event);
    }
  });
});
