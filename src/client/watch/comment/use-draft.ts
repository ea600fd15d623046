import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import type { CommentsInput } from './comment-context.ts'

/** The unsent text of each form. A reload of the page deletes it. */
const drafts = new Map<string, string>()

type DraftInput = { viewer: OwnUser; listInput: CommentsInput; answersId: number | undefined }

/** Keeps the unsent text of a comment when its form is removed, such as when the next clip is shown. */
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
