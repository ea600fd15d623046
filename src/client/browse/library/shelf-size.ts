/** Videos per list. */
export const SHELF_VIDEOS = 12
