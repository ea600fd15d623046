import { IconUsers } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { RowMenuItem } from '#client/kit/menu/row-menu-item.tsx'
import { useSignInLink } from '#client/platform/sign-in-link.ts'

type Subject = { videoId?: number; clipId?: number; playlistId?: number }

/**
 * Returns a menu item that opens a room.
 * @param options.time returns the place in the video or clip, in seconds
 */
export function useWatchTogether(
  subject: Subject,
  { isSignedIn, time }: { isSignedIn: boolean; time?: () => number },
): RowMenuItem {
  const navigate = useNavigate()
  const signIn = useSignInLink()
  if (!isSignedIn) {
    const onPress = () => void navigate(signIn)
    return { label: 'Sign in to watch together', Icon: IconUsers, onPress }
  }
  const go = (token: string) => void navigate({ to: '/room/$token', params: { token } })
  const onPress = async () => {
    const position = time?.() ?? 0
    const { openRoom } = await import('./open-room.ts')
    await openRoom({ ...subject, position }, go)
  }
  return { label: 'Watch together', Icon: IconUsers, onPress: () => void onPress() }
}
