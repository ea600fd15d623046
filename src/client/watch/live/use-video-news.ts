import { useSyncExternalStore } from 'react'
import { videoNews } from './video-news.ts'

export function useVideoNews(videoId: number | undefined) {
  const news = useSyncExternalStore(videoNews.subscribe, videoNews.get)
  return news.videoId === videoId ? news : undefined
}
