import { AppError } from '../errors.ts'
import type { StoreError } from './media-store.ts'

/** The reason is only logged. */
export function describeStoreError({ reason, message }: StoreError): AppError {
  if (reason === 'full') {
    const sentence = 'The place where videos are stored is full. Please tell an admin.'
    return new AppError('no-space', sentence, { reason: message })
  }
  if (reason === 'refused') {
    const sentence = 'The place where videos are stored turns the site away. Please tell an admin.'
    return new AppError('busy', sentence, { retryAfterSeconds: 60, reason: message })
  }
  if (reason === 'changed') {
    const sentence =
      'The place where videos are stored does not keep what it is sent. Please tell an admin.'
    return new AppError('busy', sentence, { retryAfterSeconds: 60, reason: message })
  }
  const sentence =
    'The place where videos are stored does not answer. Please try again in a moment.'
  return new AppError('busy', sentence, { retryAfterSeconds: 5, reason: message })
}
