/** Which events of a conversation are looked for; times are those that the events carry. */
export interface EventFilter {
  readonly kind__eq?: string;
  readonly timestamp__gte?: Date;
  readonly timestamp__lt?: Date;
}
