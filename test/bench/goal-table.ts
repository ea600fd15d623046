/**
 * What `npm run bench` has to show, in this order: each measurement that names a row stands under it,
 * and a row that nothing was measured for says so.
 */
export const GOAL_TABLE = [
  { name: 'home-visitor', title: 'Home list, visitor (tRPC and REST)', by: 'home' },
  { name: 'home-member', title: 'Home list, signed in', by: 'home' },
  { name: 'one-video', title: 'One video with channel and own like', by: 'video' },
  { name: 'comments', title: 'Comments of a video with 500 threads, first page', by: 'comments' },
  { name: 'growth', title: 'Growth of these from 1,000 to 1,000,000 videos', by: 'growth' },
  { name: 'search', title: 'Search at 100,000 videos', by: 'search' },
  { name: 'search-million', title: 'Search at 1,000,000 videos', by: 'search-million' },
  { name: 'search-loop', title: 'Search on the event loop', by: 'search' },
  { name: 'suggestions', title: 'Live search suggestions', by: 'search' },
  { name: 'member-reads', title: 'Reads of a member at 100,000 videos', by: 'member-reads' },
  { name: 'every-query', title: 'Queries of a member at 100,000 videos', by: 'every-query' },
  { name: 'large-writes', title: 'Acts that change tens of thousands of rows', by: 'large-writes' },
  { name: 'media-whole', title: 'Media, one connection, the whole file', by: 'media' },
  { name: 'media-ranges', title: 'Media, 50 connections, ranges of 1 MiB', by: 'media' },
  { name: 'media-handed', title: 'Media, handed to nginx', by: 'media' },
  { name: 'upload', title: 'Upload of 500 MB in chunks of 2 MiB, one by one', by: 'upload' },
  { name: 'upload-line', title: 'Upload through a line', by: 'upload' },
  { name: 'ladder', title: 'Ladder of a 30 s 1080p60 clip', by: 'ladder' },
  {
    name: 'first-rendition',
    title: 'First playable rendition of a 60 s AVI',
    by: 'first-rendition',
  },
  {
    name: 'playable',
    title: 'A compatible 500 MB file, from complete until it plays',
    by: 'playable',
  },
  {
    name: 'worker-ladders',
    title: 'Ladders of two workers beside a site that prepares nothing',
    by: 'worker-ladders',
  },
  {
    name: 'worker-home',
    title: 'Home list while four ladders run elsewhere',
    by: 'worker-home',
  },
  {
    name: 'remote-playable',
    title: 'The same file with a remote worker, over 1 Gb/s and 20 ms',
    by: 'remote-playable',
  },
  {
    name: 'nodes',
    title: 'Two nodes on PostgreSQL beside one, requests of members',
    by: 'nodes',
  },
  {
    name: 'postgres-growth',
    title: 'Growth from 1,000 to 1,000,000 videos on PostgreSQL',
    by: 'postgres-growth',
  },
  {
    name: 'postgres-search',
    title: 'Search at 100,000 videos on PostgreSQL',
    by: 'postgres-search',
  },
  {
    name: 'postgres-member-reads',
    title: 'Reads of a member at 100,000 videos on PostgreSQL',
    by: 'postgres-member-reads',
  },
  { name: 'home-busy', title: 'Home list while one upload and one transcode run', by: 'busy' },
  { name: 'start', title: 'Start-up with 1,000,000 videos', by: 'start-million' },
  {
    name: 'fresh-start',
    title: 'Longest hold-up while a started site prepares in the background',
    by: 'fresh-start',
  },
  { name: 'memory', title: 'Memory at rest', by: 'start' },
  { name: 'memory-load', title: 'Memory under load, and a minute later', by: 'memory-load' },
  { name: 'page-weight', title: 'Home page, JS and CSS over the wire', by: 'page-weight' },
  { name: 'largest-paint', title: 'Home page, largest paint on a cold cache', by: 'paint' },
  {
    name: 'first-frame',
    title: 'Watch page, click to first frame, warm app',
    by: 'start-of-playback',
  },
  {
    name: 'start-of-playback',
    title: 'Start of playback on a cold cache',
    by: 'start-of-playback',
  },
  { name: 'seek', title: 'Seeking to a place that is not loaded', by: 'seek' },
  { name: 'far-home', title: 'Home page far away, with its pictures', by: 'far-away' },
  { name: 'far-weight', title: 'Home page on a phone until it is idle', by: 'far-away' },
  { name: 'far-click', title: 'Click to first frame, far away', by: 'far-away' },
  { name: 'far-address', title: 'Address to first frame, far away', by: 'far-away' },
  { name: 'far-seek', title: 'Seeking, far away', by: 'far-away' },
  { name: 'scrolling', title: 'Scrolling 500 cards, processor slowed 4 times', by: 'scrolling' },
] as const

export type RowName = (typeof GOAL_TABLE)[number]['name']
