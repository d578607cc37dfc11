import { boolean, Field, string } from '../../../kernel/validation';
import { LATEST_CONVERSATION } from '../../conversations';

/** `{conversation_id}` as agent servers write it. */
export class InboundPath {
  @Field(string(), {
    description: 'Id of the conversation, 32 hexadecimal digits.',
    example: '7b1f9f864d0c4a3e9d1b0a4f6c1f2e11',
    exampleFrom: LATEST_CONVERSATION,
  })
  conversation_id!: string;
}

/** The response to an agent server. */
export class InboundAnswer {
  @Field(boolean(), { description: 'Always true.', example: true })
  success!: boolean;
}
