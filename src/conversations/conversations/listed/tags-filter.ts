import { storableJson } from '../../../kernel/common';
import { list, string } from '../../../kernel/validation';
import { MAX_TAGS } from '../record/text-limits';

const PARTS = /^([^:]+):(.*)$/s;

/** The filter of a list by tags, of which a conversation must have all (docs/contract.md#tags). */
export const tagsFilter = () => list(string({ rule: tagProblem }), { max: MAX_TAGS });

/** Its description in the OpenAPI document. */
export const TAGS_FILTER = {
  description:
    'Only conversations with this tag, as `name:value`, where the value is this text; repeated: with all of them.',
  example: ['team:shop'],
};

/** JSON texts that the tags of a conversation have to contain. @param tags as the filter has them */
export function wantedTags(tags: readonly string[]): string[] {
  return tags.map((tag) => {
    const [, name = '', value] = PARTS.exec(tag) ?? [];
    return JSON.stringify(storableJson({ [name]: value }));
  });
}

function tagProblem(tag: string): string | null {
  return PARTS.test(tag) ? null : 'a tag is `name:value`';
}
