import type { HeldPartName } from '#shared/schemas/held.schemas.ts'

type PartWords = {
  title: string
  text: string
  /** Singular and plural. */
  nouns: readonly [string, string]
  /** Consequence of deletion. */
  deletion: string
}

export const PART_WORDS: Record<HeldPartName, PartWords> = {
  videos: {
    title: 'Videos',
    text: 'Recordings in all their qualities, including cuts and montages.',
    nouns: ['video', 'videos'],
    deletion:
      'The video is deleted for good, with its comments, likes and everything made from it.',
  },
  posters: {
    title: 'Posters',
    text: 'The pictures of your videos.',
    nouns: ['video', 'videos'],
    deletion: 'A video without a thumbnail shows none until you choose another one.',
  },
  captions: {
    title: 'Captions',
    text: 'The captions of your videos.',
    nouns: ['video', 'videos'],
    deletion: 'The captions are deleted for good.',
  },
  shares: {
    title: 'Files for chat programs',
    text: 'Small copies of your videos that play inside Discord and similar apps.',
    nouns: ['video', 'videos'],
    deletion: 'Links show a picture there, and play on this site.',
  },
  parked: {
    title: 'Recordings from before a cut',
    text: 'Kept for seven days, so you can restore them.',
    nouns: ['recording', 'recordings'],
    deletion: 'What was there before the cut can no longer be restored.',
  },
  clips: {
    title: 'Files of your clips',
    text: 'For sharing clips that you made, whoever owns the video.',
    nouns: ['file', 'files'],
    deletion: 'Clips play on without their files, which can be made again.',
  },
  uploads: {
    title: 'Uploads under way',
    text: 'What has arrived so far, and the space reserved for the rest.',
    nouns: ['upload', 'uploads'],
    deletion: 'Uploads are cancelled, and what has arrived of them is deleted.',
  },
  channel: {
    title: 'Avatar and banner',
    text: 'The pictures of your channel.',
    nouns: ['picture', 'pictures'],
    deletion: 'Your channel shows none until you choose another one.',
  },
  deleting: {
    title: 'Being deleted',
    text: 'Already deleted. The files are removed as soon as no backup needs them.',
    nouns: ['video', 'videos'],
    deletion: '',
  },
}
