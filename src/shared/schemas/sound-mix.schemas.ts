import { z } from 'zod'
import { idSchema } from '../field.schemas.ts'
import { MIX_GAIN_MAX, MIX_TRACKS_MAX } from '../sound-mix.ts'

const trackMixSchema = z.object({
  number: z.int().min(1).max(64),
  gainDb: z.number().min(-MIX_GAIN_MAX).max(MIX_GAIN_MAX),
  isMuted: z.boolean(),
  isVoice: z.boolean(),
})

export const soundMixSchema = z.object({
  tracks: z.array(trackMixSchema).min(2).max(MIX_TRACKS_MAX),
  ducks: z.boolean(),
})

export const setSoundMixSchema = z.object({
  id: idSchema,
  /** Null for the first track alone. */
  mix: soundMixSchema.nullable(),
})
export type SetSoundMix = z.infer<typeof setSoundMixSchema>
