import { AppError } from '../common';
/** 429: as many streams are open as may be (docs/streams.md#limits). */
export declare class TooManyStreamsError extends AppError {
    /** @param whose whose limit it is */
    constructor(limit: number, whose: 'key' | 'replica');
}
/** 400: the position to resume from was never given (docs/streams.md#resume). */
export declare class UnknownPositionError extends AppError {
    constructor();
}
