/** Errors for responses that can't be read at all. */
import { ApiError } from '../errors.ts';

export function unusable(message: string, cause?: unknown): ApiError {
  return new ApiError('failed', message, { cause, passing: true, maybeDone: true });
}

export function tooLarge(largest: number): ApiError {
  return new ApiError('failed', `The response is larger than ${largest / 1024 / 1024} MiB.`, {
    maybeDone: true,
  });
}
