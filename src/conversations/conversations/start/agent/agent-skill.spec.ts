import { agentSkill } from './skill-setup';

describe('a skill as the agent server lists it', () => {
  it('becomes one of its start call, with triggers as keywords', () => {
    const listed = { name: 'notes', content: 'Text', triggers: ['changelog'], source: '/p/SKILL.md' };
    expect(agentSkill(listed)).toEqual({
      name: 'notes',
      content: 'Text',
      source: '/p/SKILL.md',
      description: null,
      is_agentskills_format: false,
      trigger: { type: 'keyword', keywords: ['changelog'] },
    });
    expect(agentSkill({ name: 'plain' })).toMatchObject({ content: '', trigger: null });
  });

  it.each([{ name: 'x', content: null }, { name: 'x', triggers: 'y' }, { name: 7 }, null])(
    'is none when it is not understood: %j',
    (listed) => {
      expect(agentSkill(listed)).toBeNull();
    },
  );
});
