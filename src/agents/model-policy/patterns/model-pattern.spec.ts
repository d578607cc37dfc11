import fc from 'fast-check';
import { threadCpuMs } from '../../../../test/support/event-loop-stall';
import { fullModelName } from './model-name';
import { closestPattern, matchesModel } from './model-pattern';

/** What a pattern means, by the engine that would be too slow on patterns of strangers. */
function asRegExp(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`, 'u');
}

const letters = fc.constantFrom('a', 'b', '/', '*', '.', 'A', '\n', 'ä');
const text = fc.array(letters, { maxLength: 12 }).map((all) => all.join(''));

describe('a pattern of models', () => {
  it.each([
    ['openai/gpt-5', 'openai/gpt-5', true],
    ['openai/gpt-5', 'openai/gpt-5-mini', false],
    ['openai/gpt-5*', 'openai/gpt-5-mini', true],
    ['openai/*', 'openrouter/openai/gpt-5', false],
    ['*', 'anything/at/all', true],
    ['*/claude-*', 'anthropic/claude-opus-5', true],
    ['gpt-5*', 'openai/gpt-5-mini', true],
    ['openai/gpt-5', 'gpt-5', true],
    ['gpt-5', 'elsewhere/gpt-5', false],
    ['gpt-5', 'litellm_proxy/gpt-5', false],
    ['openai/gpt-5', 'OpenAI/GPT-5', false],
    ['openai/gpt-5', ' openai/gpt-5', false],
    ['openai/gpt.5', 'openai/gpt-5', false],
    ['ab*ba', 'aba', false],
    ['', 'openai/gpt-5', false],
  ])('%s, and the model %s: %s', (pattern, model, isMeant) => {
    expect(matchesModel(pattern, model)).toBe(isMeant);
  });

  it('means what a regular expression with any characters for each asterisk means', () => {
    fc.assert(
      fc.property(text, text, (pattern, model) => {
        expect(matchesModel(pattern, model)).toBe(asRegExp(pattern).test(model));
      }),
      { numRuns: 5_000 },
    );
  });

  it('takes time in proportion to its length, whatever it is', () => {
    const pattern = `${'*a'.repeat(120)}b`;
    const began = threadCpuMs();
    for (let i = 0; i < 200; i++) expect(matchesModel(pattern, `x/${'a'.repeat(250)}`)).toBe(false);
    expect(threadCpuMs() - began).toBeLessThan(2_000);
  });
});

describe('the closest of some patterns', () => {
  it('is the name itself, else the longest that stands for the model', () => {
    const patterns = ['*', 'openai/gpt-5*', 'openai/*', 'gpt-5-mini'];
    expect(closestPattern(patterns, 'openai/gpt-5-mini')).toBe('gpt-5-mini');
    expect(closestPattern(patterns, 'gpt-5-nano')).toBe('openai/gpt-5*');
    expect(closestPattern(patterns, 'openai/o3')).toBe('openai/*');
    expect(closestPattern(patterns, 'other/model')).toBe('*');
    expect(closestPattern(patterns.slice(1), 'other/model')).toBeUndefined();
  });
});

describe('the name of a model', () => {
  it.each([
    ['gpt-5', 'openai/gpt-5'],
    ['o3-mini', 'openai/o3-mini'],
    ['claude-opus-5', 'anthropic/claude-opus-5'],
    ['gemini-2.5-pro', 'gemini/gemini-2.5-pro'],
    ['azure/gpt-5', 'azure/gpt-5'],
    ['house-model', 'house-model'],
    ['', ''],
  ])('%s is in full %s', (name, full) => {
    expect(fullModelName(name)).toBe(full);
    expect(fullModelName(full)).toBe(full);
  });
});
