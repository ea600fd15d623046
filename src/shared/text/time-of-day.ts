/** Recorders also write '22.48' for the time of day. */
const CLOCK = /\d{1,2}:\d{2}|\b\d{1,2}\.[0-5]\d\b/

export const hasTimeOfDay = (text: string): boolean => CLOCK.test(text)
