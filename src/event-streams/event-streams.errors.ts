import { AppError } from '../common';

/** 429: as many streams are open as may be (docs/streams.md#limits). */
export class TooManyStreamsError extends AppError {
  /** @param whose whose limit it is */
  constructor(limit: number, whose: 'key' | 'replica') {
    super(
      429,
      'streams_exceeded',
      whose === 'key'
        ? `There are ${limit} streams of this key already, as many as there may be.`
        : `There are ${limit} streams already, as many as there may be.`,
      { 'Retry-After': '5' },
    );
  }
}

/** 400: the position to resume from was never given (docs/streams.md#resume). */
export class UnknownPositionError extends AppError {
  constructor() {
    super(400, 'stream_position_unknown', 'No event has had this position yet: begin without one.');
  }
}
