import { boolean, Field } from '../../validation';

/** The response of an operation that has nothing more to say. */
export class Success {
  @Field(boolean(), { description: 'Always true.', example: true })
  success!: boolean;
}
