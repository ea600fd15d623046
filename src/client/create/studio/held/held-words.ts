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
    text: 'Recordings with every quality prepared of them, cuts and montages too.',
    nouns: ['video', 'videos'],
    deletion: 'The video goes for good, with its comments, likes and everything made of it.',
  },
  posters: {
    title: 'Posters',
    text: 'The pictures of your videos.',
    nouns: ['video', 'videos'],
    deletion: 'A video without a poster shows none until you choose another one.',
  },
  captions: {
    title: 'Captions',
    text: 'The captions of your videos.',
    nouns: ['video', 'videos'],
    deletion: 'The captions go for good.',
  },
  shares: {
    title: 'Files for chat programs',
    text: 'Small copies of your videos that play inside Discord and the like.',
    nouns: ['video', 'videos'],
    deletion: 'Links show a picture there, and play on this site.',
  },
  parked: {
    title: 'Recordings from before a cut',
    text: 'Kept for seven days, so that you can bring them back.',
    nouns: ['recording', 'recordings'],
    deletion: 'What was before the cut can no longer be brought back.',
  },
  clips: {
    title: 'Files of your clips',
    text: 'To share, of clips that you made, whoever owns the video.',
    nouns: ['file', 'files'],
    deletion: 'Clips play on without their files, which can be made again.',
  },
  uploads: {
    title: 'Uploads under way',
    text: 'What arrived so far, and the room reserved for the rest.',
    nouns: ['upload', 'uploads'],
    deletion: 'Uploads are cancelled, and what arrived of them is deleted.',
  },
  channel: {
    title: 'Avatar and banner',
    text: 'The pictures of your channel.',
    nouns: ['picture', 'pictures'],
    deletion: 'Your channel shows none until you choose another one.',
  },
  deleting: {
    title: 'Being deleted',
    text: 'Deleted already. The files go as soon as no backup needs them.',
    nouns: ['video', 'videos'],
    deletion: '',
  },
}
