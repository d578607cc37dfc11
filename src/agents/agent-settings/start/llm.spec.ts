import { agentServerLlm, composeLlm, type Llm, NO_LLM, providerOf } from './llm';

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

describe('what else is set about a model', () => {
  it('comes one by one from the nearest, and from none behind the one that names the model', () => {
    const places = [
      llm({ options: { temperature: 0.2 } }),
      llm({ model: 'own/model', options: { temperature: 1, reasoning_effort: 'low' } }),
      llm({ model: 'other/model', options: { seed: 1 } }),
    ];
    expect(composeLlm(places)).toMatchObject({
      model: 'own/model',
      options: { temperature: 0.2, reasoning_effort: 'low' },
    });
    expect(composeLlm(places).options).not.toHaveProperty('seed');
    expect(composeLlm([llm({ options: { seed: 1 } })]).options).toEqual({ seed: 1 });
  });

  it('goes with the address and the key where it says who calls', () => {
    const headers = llm({ options: { extra_headers: { A: 'b' } } });
    const aws = llm({ model: 'bedrock/model', options: { aws_region_name: 'eu-central-1' } });
    expect(composeLlm([headers, instance])).toEqual({ ...headers, model: 'house/model' });
    expect(composeLlm([instance, aws])).toEqual(instance);
    expect(composeLlm([llm({ apiKey: 'own key' }), aws]).options).toEqual({});
  });

  it('goes to agent servers, apart from what is of the service', () => {
    const options = { seed: 1, usage_id: 'mine', provider_connection_id: 'id' };
    expect(agentServerLlm({ ...instance, model: 'a/b', options }, 'agent')).toEqual({
      model: 'a/b',
      base_url: 'https://house.example.com',
      api_key: 'house key',
      seed: 1,
      usage_id: 'agent',
    });
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
