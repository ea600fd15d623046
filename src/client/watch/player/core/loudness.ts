/** As loud as a video may be, in LUFS: what the large video sites use. */
const TARGET_LUFS = -14

/** What to multiply a volume with, so that a video is no louder than others. It never makes one louder. */
export function levellingFactor(loudnessLufs: number | null): number {
  if (loudnessLufs === null || loudnessLufs <= TARGET_LUFS) return 1
  return 10 ** ((TARGET_LUFS - loudnessLufs) / 20)
}
