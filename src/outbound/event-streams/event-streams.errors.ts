import { AppError, appError } from '../../kernel/common';

/** Whose streams are counted together. */
export type StreamScope = 'key' | 'user' | 'organization' | 'replica';

/** 429: as many streams are open as may be (docs/streams.md#limits). */
export class TooManyStreamsError extends AppError {
  /** @param whose whose limit it is */
  constructor(limit: number, whose: StreamScope) {
    super(
      429,
      'streams_exceeded',
      `There are ${limit} streams${whose === 'replica' ? '' : ` of this ${whose}`} already, as many as there may be.`,
      { 'Retry-After': '5' },
    );
  }
}

/** 400: the position to resume from was never given (docs/streams.md#resume). */
export const UnknownPositionError = appError(
  400,
  'stream_position_unknown',
  'No event has had this position yet: begin without one.',
);
