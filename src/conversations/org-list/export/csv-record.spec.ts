import { CSV_HEADER, csvLine, csvText } from './csv-record';

describe('a field of an export', () => {
  it.each([
    ['plain words', 'plain words'],
    ['a, b', '"a, b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['Größe 🐙', 'Größe 🐙'],
    ['', ''],
    [null, ''],
    [' two ', ' two '],
    ['[1,2]', '"[1,2]"'],
    ['{"team":"shop"}', '"{""team"":""shop""}"'],
  ])('writes %j as %j', (value, expected) => {
    expect(csvText(value)).toBe(expected);
  });

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '\nx',
    '  =1',
    '＝1',
    '－1',
    '=HYPERLINK("http://a")',
  ])('never starts with what a spreadsheet computes: %j', (text) => {
    expect(csvText(text).replace(/^"/, '').startsWith("'")).toBe(true);
  });
});

describe('a line of an export', () => {
  it('has each field of a conversation under its name', () => {
    const conversation = {
      id: 'an id',
      user_id: 'a user',
      title: 'a title',
      llm_model: 'a model',
      agent_kind: 'a kind',
      user_email: 'an address',
      created_at: 'created',
      updated_at: 'updated',
      sandbox_id: 'a sandbox',
      sandbox_status: 'RUNNING',
      runtime_url: 'a url',
      execution_status: 'running',
      selected_repository: 'a repository',
      selected_branch: 'a branch',
      git_provider: 'a provider',
      trigger: 'a trigger',
      pr_number: [7],
      pr_merged: false,
      tags: {},
      accumulated_cost: 0.5,
      prompt_tokens: 1,
      completion_tokens: 2,
      total_tokens: 3,
      cache_read_tokens: 4,
      cache_write_tokens: 5,
    } as const;
    const fields = csvLine({ ...conversation, pr_number: [...conversation.pr_number] })
      .trimEnd()
      .split(',');
    const named = CSV_HEADER.trimEnd()
      .split(',')
      .map((name, index) => [name, fields[index]]);
    const texts = { ...conversation, pr_number: '[7]', tags: '{}' };
    expect(named).toEqual(Object.entries(texts).map(([name, value]) => [name, String(value)]));
  });
});
