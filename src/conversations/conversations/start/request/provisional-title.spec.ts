import { provisionalTitle } from './start-records';

const titleOf = (...texts: string[]): string | null =>
  provisionalTitle({
    initial_message: {
      role: 'user',
      content: texts.map((text) => ({ type: 'text', text, cache_prompt: false })),
    },
  });

describe('the title of a conversation that has none yet', () => {
  it('is its first message, on one line', () => {
    expect(titleOf('  Fix the\n\n flaky login test. ')).toBe('Fix the flaky login test.');
  });

  it('ends after the last whole word of about fifty characters', () => {
    expect(titleOf('word '.repeat(40))).toBe(`${'word '.repeat(9)}word…`);
    expect(titleOf('😀'.repeat(60))).toBe(`${'😀'.repeat(50)}…`);
  });

  it('is none where there are no words', () => {
    expect([provisionalTitle({}), titleOf(), titleOf(' \n')]).toEqual([null, null, null]);
  });
});
