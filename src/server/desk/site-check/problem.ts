/** The text of an orphan is its path in the data folder, or its prefix in the store. */
export type Problem = { kind: 'missing' | 'orphaned' | 'damaged'; text: string }

export const missing = (text: string): Problem => ({ kind: 'missing', text })
export const orphaned = (text: string): Problem => ({ kind: 'orphaned', text })
export const damaged = (text: string): Problem => ({ kind: 'damaged', text })
