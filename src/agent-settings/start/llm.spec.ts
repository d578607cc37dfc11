import { composeLlm, type Llm, NO_LLM, providerOf } from './llm';

const llm = (given: Partial<Llm>): Llm => ({ ...NO_LLM, ...given });
const instance = llm({ model: 'house/model', baseUrl: 'https://house.example.com', apiKey: 'house key' });

describe('a model that is set at several places', () => {
  it('has the name, and apart from that the address and key, of the nearest', () => {
    expect(composeLlm([llm({ model: 'own/model' }), instance])).toEqual({ ...instance, model: 'own/model' });
    expect(composeLlm([NO_LLM, instance])).toEqual(instance);
    expect(composeLlm([])).toEqual(NO_LLM);
  });

  it('has no key of one place with the address of another', () => {
    const own = llm({ baseUrl: 'https://own.example.com' });
    expect(composeLlm([own, instance])).toEqual({ ...own, model: 'house/model' });
    const key = llm({ apiKey: 'own key' });
    expect(composeLlm([key, instance])).toEqual({ ...key, model: 'house/model' });
  });
});

describe('the provider of a model', () => {
  it.each([
    ['openai/gpt-5', 'openai'],
    ['openrouter/anthropic/claude', 'openrouter'],
    ['gpt-5', null],
    ['/gpt-5', null],
  ])('of %s is %s', (model, provider) => {
    expect(providerOf(model)).toBe(provider);
  });
});
