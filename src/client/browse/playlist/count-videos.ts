/** 'No videos', '1 video', '8 videos'. */
export function countVideos(count: number): string {
  if (count === 0) return 'No videos'
  return count === 1 ? '1 video' : `${count} videos`
}
