type PublicRead = {
  /** Others do not change the answer. */
  query?: readonly string[]
  hasOrigin?: true
}

const PAGE = ['limit', 'cursor']

export const PUBLIC_READS: Readonly<Record<string, PublicRead>> = {
  '/api/videos': { query: [...PAGE, 'category'] },
  '/api/videos/:id': {},
  '/api/videos/category/:category': { query: PAGE },
  '/api/videos/:id/comments': { query: [...PAGE, 'clipId', 'sort'] },
  '/api/videos/:id/clips': { query: PAGE },
  '/api/videos/:id/reactions': {},
  '/api/clips': { query: PAGE },
  '/api/clips/best': { query: PAGE },
  '/api/clips/search': { query: [...PAGE, 'q'] },
  '/api/clips/:id': {},
  '/api/users/:id': {},
  '/api/users/:id/clips': { query: PAGE },
  '/api/users/:id/videos': { query: [...PAGE, 'state', 'sort', 'q'] },
  '/api/search': { query: [...PAGE, 'q', 'category', 'sort'] },
  '/api/categories': {},
  '/trpc/:path': { query: ['batch', 'input'] },
  '/': { query: ['category'], hasOrigin: true },
  '/video/:id': { query: ['t'], hasOrigin: true },
  '/clip/:id': { query: ['t'], hasOrigin: true },
  '/profile/:id': { query: ['tab'], hasOrigin: true },
  '/playlist/:id': { hasOrigin: true },
  '/search': { query: ['q'], hasOrigin: true },
  '/embed/:id': { hasOrigin: true },
  '/embed/clip/:id': { hasOrigin: true },
  '/feeds/videos.xml': { hasOrigin: true },
  '/feeds/channel/:id.xml': { hasOrigin: true },
  '/feeds/game/:category.xml': { hasOrigin: true },
  '/feeds/search.xml': { query: ['q'], hasOrigin: true },
  '/sitemap.xml': { hasOrigin: true },
  '/sitemap-:number.xml': { hasOrigin: true },
}

/** A batch of only these is cached. */
export const PUBLIC_PROCEDURES: ReadonlySet<string> = new Set([
  ...['video.list', 'video.listByCategory', 'video.listByUser', 'video.get', 'video.recommended'],
  ...['video.playback', 'video.categories', 'comment.list', 'comment.replies', 'comment.pinned'],
  ...['comment.count', 'reaction.list'],
  ...[
    'clip.byId',
    'clip.newest',
    'clip.bestOfWeek',
    'clip.search',
    'clip.ofVideo',
    'clip.ofChannel',
  ],
  ...[
    'user.get',
    'playlist.get',
    'playlist.listByUser',
    'participant.list',
    'participant.appearances',
    'search.videos',
    'search.suggest',
    'search.channels',
  ],
  ...[
    'explore.games',
    'explore.tags',
    'explore.trending',
    'explore.loved',
    'explore.pinned',
    'home.tonight',
    'home.shelves',
    'home.game',
    'site.settings',
    'site.rules',
  ],
  'auth.currentUser',
])
