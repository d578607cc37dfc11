import { readSkillFile } from './skill-file';

function read(text: string, isFolder = true) {
  return readSkillFile(Buffer.from(text), true, { name: 'folder', isFolder });
}

/** Name, triggers and problems of front matter. */
function of(yaml: string) {
  const { skill, problems } = read(`---\n${yaml}\n---\nText\n`);
  return [skill?.name, skill?.triggers, problems];
}

// test/agent-server/skills.e2e-spec.ts compares them with the agent server itself.
describe('a skill file', () => {
  it.each([
    ['name: 123', '123'],
    ['name: 1.5', '1.5'],
    ['name: 2024-01-01', '2024-01-01'],
    ['name: y', 'y'],
    ['name: 1e3', '1e3'],
    ['name: "yes"', 'yes'],
    ['name: one\nname: two', 'two'],
    ['name: a\u200db\u200cc', 'a\u200db\u200cc'],
    ['name: "\u{1F468}\u200d\u{1F469}"', '\u{1F468}\u200d\u{1F469}'],
    ['description: Is it so ? Yes\nname: x', 'x'],
    ['description: >-\n  ? a\n  - ? b\nname: x', 'x'],
    ['description: "a, ? b"\nname: x', 'x'],
    ['x: &x {name: merged}\n<<: *x', 'merged'],
    ['name:\ttab', 'tab'],
  ])('has the name of its front matter: %j', (yaml, name) => {
    expect(of(yaml)).toEqual([name, [], []]);
  });

  it.each([
    ['1.10', '1.10'],
    ['007', '007'],
    ['yes', 'yes'],
    ['0x1F', '0x1F'],
    ['12:30', '12:30'],
    ['1_000', '1_000'],
  ])('has a name as it is written, and says that agent servers read it otherwise: %s', (written, name) => {
    expect(of(`name: ${written}`)).toEqual([
      name,
      [],
      ['has a name that agent servers read as written only in quotes'],
    ]);
  });

  it('has triggers as they are written, and says what agent servers refuse', () => {
    expect(of('triggers: ["1", \'on\', 1e3, a ? b]')).toEqual(['folder', ['1', 'on', '1e3', 'a ? b'], []]);
    expect(of('triggers: [1.10, yes]')).toEqual([
      'folder',
      ['1.10', 'yes'],
      ['has triggers that agent servers accept in quotes only'],
    ]);
    expect(of('triggers: a')).toEqual(['folder', [], ['has triggers that are not usable']]);
    expect(of('triggers:')).toEqual(['folder', [], ['has triggers that are not usable']]);
    expect(of('triggers: [a]\ntriggers: [b]')).toEqual(['folder', ['b'], []]);
  });

  it('has no triggers where paths bring it up, and its own name where it asks for something', () => {
    expect(of('triggers: [a]\npaths: "*.py"')).toEqual(['folder', [], []]);
    expect(of('triggers: [a]\ninputs:\n- name: a\n  description: b')).toEqual([
      'folder',
      ['a', '/folder'],
      [],
    ]);
    expect(of('inputs: [a]')[2]).toEqual(['has a value of "inputs" that agent servers refuse']);
  });

  it.each([
    ['description: 5', 'has a value of "description" that agent servers refuse'],
    ['license: 1.0', 'has a value of "license" that agent servers refuse'],
    ['metadata: [a]', 'has a value of "metadata" that agent servers refuse'],
    ['allowed-tools: {a: b}', 'has a value of "allowed-tools" that agent servers refuse'],
    [
      'disable-model-invocation: maybe',
      'has a value of "disable-model-invocation" that agent servers refuse',
    ],
    ['content: a', 'has a key "content", which agent servers refuse'],
    ['name:', 'has a name without a value'],
    ['name: |\n  folder', 'has a name with white space around it'],
  ])('says what agent servers leave it out for, or read otherwise: %s', (yaml, problem) => {
    expect(of(yaml)).toEqual(['folder', [], [problem]]);
  });

  it.each([
    ['four dashes', '----\nname: a\n-----\n'],
    ['blank lines before', '\n \n---\nname: a\n---\n'],
    ['an indented fence', '  ---\nname: a\n---\n'],
    ['spaces after the fence', '---\u00a0 \nname: a\n---\t\n'],
    ['line ends of Windows', '---\r\nname: a\r\n---\r\n'],
    ['old line ends', '---\rname: a\r---\r'],
  ])('has front matter with %s', (_, text) => {
    expect(read(text, false)).toEqual({
      skill: { name: 'a', type: 'knowledge', triggers: [] },
      problems: [],
    });
  });

  it.each([
    ['# Title\n', []],
    ['---\nname: unclosed\n', []],
    ['\ufeff---\nname: a\n---\n', ['has front matter that a byte order mark hides from agent servers']],
    ['---\n- a\n---\n', ['has front matter that is no mapping']],
    ['{\n"name": "a"\n}\n', ['has front matter that is no YAML']],
  ])('without front matter is a skill where it makes a folder one: %j', (text, problems) => {
    expect(read(text)).toEqual({ skill: { name: 'folder', type: 'knowledge', triggers: [] }, problems });
    expect(read(text, false)).toEqual({ skill: null, problems });
  });

  it.each([
    '? a\n: b',
    '{a: b}: c',
    '1: a',
    'x: =',
    'x: !foo a',
    'a: b: c',
    '...\na: b',
    'a: b\n...\nc: d',
    'a:\n- \t- b',
    'name: &x a\nx: &x a',
  ])('that agent servers cannot read is none: %j', (yaml) => {
    const [name, , problems] = of(yaml);
    expect(name).toBeUndefined();
    expect(problems).toEqual([
      expect.stringMatching(/^has front matter that is (not valid YAML|too intricate)$/),
    ]);
  });

  it('of which only the beginning is read says when the front matter goes on', () => {
    const place = { name: 'folder', isFolder: true };
    const head = (text: string) => readSkillFile(Buffer.from(text), false, place);
    const tooLong = { skill: null, problems: ['has front matter that is too long'] };
    expect(head('---\nname: a\n---')).toEqual(tooLong);
    expect(head('---\nname: a\n')).toEqual(tooLong);
    expect(head('---\nname: a\n---\ncut of').skill?.name).toBe('a');
  });
});
