import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import type { CommentsInput } from './comment-context.ts'

/** Unsent text by form, until the page is reloaded. */
const drafts = new Map<string, string>()

type DraftInput = { viewer: OwnUser; listInput: CommentsInput; answersId: number | undefined }

/** Keeps unsent text of a comment when its form is removed, such as by a look at the next clip. */
export function useDraft({
  viewer,
  listInput,
  answersId,
}: DraftInput): [string, Dispatch<SetStateAction<string>>] {
  const { sort, limit, ...place } = listInput
  const key = JSON.stringify([viewer.id, place, answersId])
  const [content, setContent] = useState(() => drafts.get(key) ?? '')
  useEffect(() => {
    if (content === '') drafts.delete(key)
    else drafts.set(key, content)
  }, [key, content])
  return [content, setContent]
}
